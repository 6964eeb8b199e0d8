"""Templates as the template engine has compiled them, by key, so that who renders again need not compile again."""

from __future__ import annotations

from jinja2.bccache import Bucket, BytecodeCache


class Compiled(BytecodeCache):
    """Holds compiled templates in memory; the engine itself sees whether one belongs to its version and source."""

    def __init__(self) -> None:
        self.codes: dict[str, bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        """Give the engine what is held."""
        if bucket.key in self.codes:
            bucket.bytecode_from_string(self.codes[bucket.key])

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Hold what the engine has compiled."""
        self.codes[bucket.key] = bucket.bytecode_to_string()


COMPILED = Compiled()
