"""The terms of a task as the article on dependency management prints them."""

ARTICLE = """
"dependenciesWithMeta": {
 "Task_1": {
 "freshnessCriteriaInHours": 24
 },
 "Task_2": {
 "freshnessCriteriaInHours": 168
 },
 "Task_3": {
 "freshnessCriteriaInHours": 96
 },
 "Task_4": {
 "freshnessCriteriaInHours": 72
 }
}
"""
