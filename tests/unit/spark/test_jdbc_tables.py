"""Which tables a JDBC source reads, from what a program gives as its table or query."""

import pytest

from lineagegraph.spark.jdbc_tables import queried_columns, queried_tables, written_table

READS = [
    ("postgresql", "orders", ["orders"]),
    ("postgresql", "(select * from a, b where a.id = b.id) q", ["a", "b"]),
    (
        "postgresql",
        "(select * from a join s.b using (id) left join c on true) q",
        ["a", "s.b", "c"],
    ),
    ("postgresql", '"Order Lines"', ["Order Lines"]),
    ("postgresql", '(select * from shop."Order Lines" l) q', ["shop.Order Lines"]),
    ("sqlserver", "[dbo].[Order Lines]", ["dbo.Order Lines"]),
    (
        "sqlserver",
        "(select top 5 * from [shop].[dbo].[Orders] with (nolock)) q",
        ["shop.dbo.Orders"],
    ),
    ("mysql", "(select * from `order lines` where note = 'from here') q", ["order lines"]),
    ("postgresql", "(select 'from x join y' as a from t -- from u\n) q", ["t"]),
    ("postgresql", "(select /* from u */ * from t) q", ["t"]),
    ("postgresql", "(with c as (select * from t) select * from c join u using (id)) q", ["t", "u"]),
    ("postgresql", "(select extract(year from sold) as y from t) q", ["t"]),
    ("postgresql", "(select trim(both ' ' from name), substring(name from 2) from t) q", ["t"]),
    (
        "postgresql",
        "(select * from t where id in (select id from u where x is distinct from 1)) q",
        ["t", "u"],
    ),
    ("postgresql", "(select * from a union all select * from b) q", ["a", "b"]),
    (
        "postgresql",
        "(select * from t, lateral (select * from u where u.id = t.id) l) q",
        ["t", "u"],
    ),
    ("oracle", "(select * from shop.orders where rownum < 5) q", ["shop.orders"]),
    ("sqlite", "(select id, v from t where d=1) q", ["t"]),
    ("nosuch", "(select * from a.b.c) q", ["a.b.c"]),
    ("postgresql", "orders o join lines l on o.id = l.order_id", ["orders", "lines"]),
]


@pytest.mark.parametrize(("kind", "text", "tables"), READS)
def test_a_source_reads_the_tables_of_its_query_and_nothing_else(kind, text, tables):
    assert sorted(queried_tables(kind, text)) == sorted(tables)


@pytest.mark.parametrize(
    ("kind", "text", "table"),
    [
        ("postgresql", "shop.orders", "shop.orders"),
        ("sqlite", '"Order Lines"', "Order Lines"),
        ("sqlserver", "[dbo].[Order Lines]", "dbo.Order Lines"),
        ("mysql", "`from`", "from"),
        ("postgresql", '"from t join u"', "from t join u"),
        ("postgresql", 'broken " name', "broken  name"),
    ],
)
def test_the_table_that_is_written_is_never_lost(kind, text, table):
    assert written_table(kind, text) == table


@pytest.mark.parametrize("text", ["", " ", "(select", "((((" * 5_000, "from from from"])
def test_text_that_is_no_sql_reads_no_table(text):
    assert queried_tables("postgresql", text) == []


@pytest.mark.parametrize(
    ("kind", "text", "columns"),
    [
        ("postgresql", "orders", None),
        ("postgresql", "(select * from t) q", None),
        ("postgresql", "orders o join lines l on o.id = l.order_id", None),
        ("postgresql", "(select x from a, b) q", None),
        (
            "derby",
            '(select a."name" from kept a, "Order" b where a."id" = b."id") q',
            {"kept": {"name": {"name": "IDENTITY"}}, "Order": {}},
        ),
        (
            "postgresql",
            "(with o as (select id, amount from shop.orders)"
            " select id, sum(amount) s from o group by id) t",
            {"shop.orders": {"id": {"id": "IDENTITY"}, "s": {"amount": "AGGREGATION"}}},
        ),
        (
            "mysql",
            "(select upper(t.n) m, (select max(v) from u) w from t) q",
            {"t": {"m": {"n": "TRANSFORMATION"}}, "u": {"w": {"v": "AGGREGATION"}}},
        ),
        (
            "postgresql",
            "(select id from a union all select k from b) q",
            {"a": {"id": {"id": "IDENTITY"}}, "b": {"id": {"k": "IDENTITY"}}},
        ),
        ("postgresql", "(select count(*) n from t) q", {"t": {}}),
    ],
)
def test_columns_of_a_query_come_from_those_of_its_tables(kind, text, columns):
    assert queried_columns(kind, text) == columns
