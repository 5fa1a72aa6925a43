"""Names in answers, and the parameters of paths that have them."""

from lineagegraph.http.plumbing.answers import AnswerStruct


class NameAnswer(AnswerStruct):
    """The namespace and the name of a job or dataset."""

    namespace: str
    name: str
