select 1 as id, 'DE' as region, 10.0 as amount union all select 2, 'JP', 20.0
