select region, sum(amount) as total from {{ ref('orders') }} group by region
