"""Inside one process: each check by itself, and a question about each of the documents given, warm. Prints JSON.

`python benchmarks/timing.py CORPUS DOCUMENT…`
"""

from __future__ import annotations

import json
import statistics
import sys
import time

import kbgraph


def main() -> None:
    corpus, *documents = sys.argv[1:]
    kb = kbgraph.open(corpus)
    checks: dict[str, float] = {}
    for query in kb.queries.all("check"):
        start = time.perf_counter()
        kb.check([query.name])
        checks[query.name] = time.perf_counter() - start
    print(json.dumps({"checks": checks, "documents": [answered(kb, document) for document in documents]}))


def answered(kb: kbgraph.Workspace, document: str) -> tuple[float, int]:
    """Seconds of a document's claims with their lines, median of nine, and how many there are."""
    question = f'''PREFIX kb: <https://w3id.org/kbgraph/ns#>
        SELECT ?line ?text WHERE {{ GRAPH ?m {{ ?m kb:path "{document}" . ?e kb:asserts ?c ; kb:line ?line .
        ?c <https://schema.org/text> ?text }} }} ORDER BY ?line'''
    warm = []
    for _ in range(9):
        start = time.perf_counter()
        found = kb.select(question)
        warm.append(time.perf_counter() - start)
    return statistics.median(warm), len(found.rows)


if __name__ == "__main__":
    main()
