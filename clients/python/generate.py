"""Writes the generated part of the package from the OpenAPI document.

`types.py` has a TypedDict for each schema, and `operations.py` a method for each operation.
Usage: python generate.py DOCUMENT VERSION FOLDER
"""

from __future__ import annotations

import json
import keyword
import re
import sys
import textwrap
from collections.abc import Iterable
from pathlib import Path
from typing import Any

Schema = dict[str, Any]

PAGE = {"object", "data", "has_more", "next_cursor"}
SCALARS = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}

TYPES_HEAD = '''"""Types of the bodies and answers, generated from the OpenAPI document.

They describe plain dictionaries. Answers may have more members than these, so that the service can grow.
"""

from __future__ import annotations

from typing import Any, Generic, Literal, NotRequired, TypeAlias, TypedDict, TypeVar

Row = TypeVar("Row")


class Page(TypedDict, Generic[Row]):
    """A page of a list. `paginate` reads all of them."""

    object: Literal["list"]
    data: list[Row]
    has_more: bool
    next_cursor: str | None
'''

OPERATIONS_HEAD = '''"""A method for each operation of the API, generated from the OpenAPI document."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from . import types
from .request_parts import IfMatch, segment

VERSION = {version}


class Operations(ABC):
    """The operations of the API. `Client` sends them."""

    @abstractmethod
    def _send(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, object] | None = None,
        body: object = None,
        if_match: IfMatch | None = None,
        idempotency_key: str | None = None,
    ) -> Any:
        """Sends one request and returns the body of its answer."""
'''


class Types:
    """The definitions of `types.py`, by name."""

    def __init__(self) -> None:
        self.definitions: dict[str, str] = {}

    def define_schema(self, name: str, schema: Schema) -> None:
        expression = self.express(schema, name)
        if expression != name:
            self._add(name, f"{name}: TypeAlias = {quote(expression)}\n")

    def express(self, schema: Schema, name: str) -> str:
        """Returns the type of a schema. An object without a name of its own becomes the definition `name`."""
        if "$ref" in schema:
            return str(schema["$ref"]).rsplit("/", 1)[1]
        for values in ([schema["const"]] if "const" in schema else [], schema.get("enum", [])):
            if values:
                return f"Literal[{', '.join(quote(value) for value in values)}]"
        for variants in (schema.get("oneOf"), schema.get("anyOf")):
            if variants:
                return self._union(variants, name)
        kind = schema.get("type")
        if isinstance(kind, list):
            return self._union([{**schema, "type": one} for one in kind], name)
        if kind == "array":
            return f"list[{self.express(schema.get('items', {}), f'{name}Item')}]"
        if kind == "object":
            return self._object(schema, name)
        if kind is None:
            return "Any"
        return SCALARS[kind]

    def _union(self, variants: list[Schema], name: str) -> str:
        objects = [variant for variant in variants if "properties" in variant]
        expressions = []
        for variant in variants:
            own_name = name + tag(variant, objects) if variant in objects[1:] or len(objects) > 1 else name
            expressions.append(self.express(variant, own_name))
        return " | ".join(dict.fromkeys(expressions))

    def _object(self, schema: Schema, name: str) -> str:
        properties: dict[str, Schema] = schema.get("properties", {})
        if set(properties) == PAGE:
            return f"Page[{self.express(properties['data']['items'], f'{name}Row')}]"
        if not properties:
            values = schema.get("additionalProperties")
            return f"dict[str, {self.express(values, f'{name}Value') if isinstance(values, dict) else 'Any'}]"
        # The name is taken before those of its members, so that the order is that of the document.
        self._add(name, "")
        required = schema.get("required", [])
        members = [
            (key, self.express(member, name + pascal(key)), member.get("description", ""), key in required)
            for key, member in properties.items()
        ]
        lines = [
            (key, kind if always else f"NotRequired[{kind}]", description)
            for key, kind, description, always in members
        ]
        head = docstring(schema.get("description", ""), 4)
        if all(key.isidentifier() and not keyword.iskeyword(key) for key, *_ in lines):
            text = f"class {name}(TypedDict):\n{head}" + ("\n" if head else "")
            text += "".join(
                f"    {key}: {kind}\n{docstring(description, 4)}" for key, kind, description in lines
            )
        else:
            pairs = "".join(f"        {quote(key)}: {quote(kind)},\n" for key, kind, _ in lines)
            text = f'{name} = TypedDict(\n    "{name}",\n    {{\n{pairs}    }},\n)\n'
            text += docstring(schema.get("description", ""), 0)
        self.definitions[name] = text
        return name

    def _add(self, name: str, text: str) -> None:
        if name in self.definitions:
            raise ValueError(f"two schemas would be called {name}")
        self.definitions[name] = text


def tag(variant: Schema, variants: list[Schema]) -> str:
    """Returns what tells one object of a union from the others: a constant, or else its number."""
    constants = [member["const"] for member in variant["properties"].values() if "const" in member]
    return pascal(str(constants[0])) if constants else str(variants.index(variant) + 1)


def event_payloads(document: dict[str, Any]) -> Iterable[Schema]:
    """Returns the schema of each type of event. The document has them in the bodies of webhooks."""
    for item in document["webhooks"].values():
        full, _thin = item["post"]["requestBody"]["content"]["application/json"]["schema"]["anyOf"]
        yield full


def write_operations(document: dict[str, Any], types: Types) -> str:
    methods = []
    for path, item in document["paths"].items():
        for method, operation in item.items():
            methods.append(write_method(method, path, operation, document["components"]["parameters"], types))
    return "".join(methods)


def write_method(method: str, path: str, operation: Schema, shared: dict[str, Schema], types: Types) -> str:
    answers = [answer for status, answer in operation["responses"].items() if status.startswith("2")]
    contents = [content for answer in answers for content in answer.get("content", {}).items()]
    if any(kind == "text/event-stream" for kind, _ in contents):
        return ""
    own_name = operation["operationId"][0].upper() + operation["operationId"][1:]
    result = "None"
    if contents:
        kind, content = contents[0]
        is_json = kind.endswith("json") and not kind.endswith("ndjson")
        result = in_types(types.express(content["schema"], f"{own_name}Answer"), types) if is_json else "str"

    parameters = [
        shared[one["$ref"].rsplit("/", 1)[1]] if "$ref" in one else one
        for one in operation.get("parameters", [])
    ]
    queries = [one for one in parameters if one["in"] == "query"]
    headers = {one["name"] for one in parameters if one["in"] == "header"}
    positional = [(one["name"], "str") for one in parameters if one["in"] == "path"]
    named, sent = [], []
    body = next(iter(operation.get("requestBody", {}).get("content", {}).values()), None)
    if body is not None and body["schema"].get("properties") != {}:
        kind = in_types(types.express(body["schema"], f"{own_name}Body"), types)
        required = operation["requestBody"].get("required", False)
        positional.append(("body", kind if required else f"{kind} | None = None"))
        sent.append("body=body")
    for query in queries:
        named.append(f"{python_name(query['name'])}: {query_type(query, types)} | None = None")
    if queries:
        pairs = ", ".join(f'"{one["name"]}": {python_name(one["name"])}' for one in queries)
        sent.append(f"query={{{pairs}}}")
    for header, argument, kind in (
        ("If-Match", "if_match", "IfMatch"),
        ("Idempotency-Key", "idempotency_key", "str"),
    ):
        if header in headers:
            named.append(f"{argument}: {kind} | None = None")
            sent.append(f"{argument}={argument}")

    arguments = ["self", *(f"{python_name(name)}: {kind}" for name, kind in positional)]
    signature = ", ".join([*arguments, *(["*", *named] if named else [])])
    address = re.sub(r"\{(\w+)\}", lambda match: f"{{segment({python_name(match[1])})}}", path)
    call = ", ".join([f'"{method.upper()}"', f'{"f" if "{" in address else ""}"{address}"', *sent])
    texts = [f"{operation['summary']}.", operation.get("description", "")]
    described = [one for one in parameters if one["in"] != "header" and one.get("description")]
    if described:
        lines = [f"    {python_name(one['name'])}: {one['description']}" for one in described]
        texts.append("\n".join(["Args:", *lines]))
    text = docstring("\n\n".join(part for part in texts if part), 8)
    head = f"    def {snake(operation['operationId'])}({signature}) -> {result}:\n"
    return f"\n{head}{text}        return self._send({call})\n"


def query_type(query: Schema, types: Types) -> str:
    if query["schema"].get("type") == "array":
        return "str | Sequence[str]"
    return types.express(query["schema"], "")


def in_types(expression: str, types: Types) -> str:
    names = {*types.definitions, "Page"}
    return re.sub(
        r"\b[A-Z]\w*\b", lambda match: f"types.{match[0]}" if match[0] in names else match[0], expression
    )


def quote(value: object) -> str:
    return json.dumps(value) if isinstance(value, str) and '"' not in value else repr(value)


def pascal(text: str) -> str:
    return "".join(part[:1].upper() + part[1:] for part in re.split(r"[^0-9A-Za-z]+", text))


def snake(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


def python_name(name: str) -> str:
    return f"{name}_" if keyword.iskeyword(name) else name


def docstring(text: str, indent: int) -> str:
    if text == "":
        return ""
    safe = text.strip().replace("\\", "\\\\").replace('"""', "'''")
    if safe.endswith('"'):
        safe += " "
    ending = "\n" if "\n" in safe else ""
    return textwrap.indent(f'"""{safe}{ending}"""\n', " " * indent)


def write(file: Path, parts: Iterable[str]) -> None:
    file.write_text("".join(parts), encoding="utf-8", newline="\n")


def main(document_file: str, version: str, folder: str) -> None:
    document = json.loads(Path(document_file).read_text(encoding="utf-8"))
    types = Types()
    for name, schema in document["components"]["schemas"].items():
        types.define_schema(name, schema)
    types.define_schema("AnyEvent", {"anyOf": list(event_payloads(document))})
    operations = write_operations(document, types)
    definitions = [f"\n\n{text}" for text in types.definitions.values()]
    write(Path(folder, "types.py"), [TYPES_HEAD, *definitions])
    write(Path(folder, "operations.py"), [OPERATIONS_HEAD.replace("{version}", quote(version)), operations])


if __name__ == "__main__":
    main(*sys.argv[1:])
