"""Validates the program's JSON reports against its own schemas, by the validator `jsonschema`.

    json_schemas.py FOLDER

FOLDER holds `schemas.json`, the output of `brickwork schema`, and reports, each named after its command:
`volume-info.2.json` is one of `volume info`. Each report must be valid, and must become invalid without any
one of its keys: a schema that requires too little fails, too.
"""

import copy
import json
import sys
from pathlib import Path

from jsonschema import Draft202012Validator

# Keys that are there only on request, objects whose keys come from files, and those whose keys are channels.
OPTIONAL = {"summary", "modes", "sample", "statistics"}
OPEN = {"metadata", "key_values", "notes"}
BY_CHANNEL = {"packed_channels"}


def places(value, path=()):
    """The paths of all keys in `value` that a schema must demand."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key not in OPTIONAL:
                yield (*path, key)
            if key in BY_CHANNEL and isinstance(inner, dict):
                for channel, entry in inner.items():
                    yield from places(entry, (*path, key, channel))
            elif key not in OPEN:
                yield from places(inner, (*path, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from places(inner, (*path, index))


def without(report, path):
    report = copy.deepcopy(report)
    inner = report
    for key in path[:-1]:
        inner = inner[key]
    del inner[path[-1]]
    return report


folder = Path(sys.argv[1])
schemas = json.loads((folder / "schemas.json").read_text())
seen, keys = set(), 0
for file in sorted(folder.glob("*.*.json")):
    command = file.name.split(".")[0].replace("-", " ")
    seen.add(command)
    Draft202012Validator.check_schema(schemas[command])
    validator = Draft202012Validator(schemas[command])
    report = json.loads(file.read_text())
    for error in validator.iter_errors(report):
        sys.exit(f"{file.name}: {error.json_path}: {error.message}")
    for path in places(report):
        keys += 1
        if validator.is_valid(without(report, path)):
            sys.exit(f"{file.name} is valid without {path}")
print(f"{len(seen)} commands, {keys} keys: {', '.join(sorted(seen))}")
missing = sorted(set(schemas) - seen)
if missing != sys.argv[2:]:
    sys.exit(f"no report of {missing}")
