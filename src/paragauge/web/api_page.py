"""The API page, made from the API's own OpenAPI description without external resources."""

from __future__ import annotations

import json
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from paragauge.web.pages import page


def api_page_routes() -> APIRouter:
    """Return the route of the page."""
    router = APIRouter(include_in_schema=False)

    @router.get("/api")
    async def api_page(request: Request) -> HTMLResponse:
        description = request.app.openapi()
        return page(request, "api.html", operations=operations(description))

    return router


def operations(description: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the page's data on each operation of an OpenAPI *description*."""
    schemas = description.get("components", {}).get("schemas", {})
    found = []
    for path, methods in description["paths"].items():
        for method, operation in methods.items():
            body = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
            schema = _resolved(body, schemas)
            answer = _answer(operation)
            example = next(iter(schema.get("examples", [])), None)
            found.append(
                {
                    "key": operation["operationId"],
                    "method": method.upper(),
                    "path": path,
                    "summary": operation.get("summary", ""),
                    "text": operation.get("description", ""),
                    "parameters": [
                        {"name": each["name"], "in": each["in"], "text": each.get("description", "")}
                        for each in operation.get("parameters", [])
                    ],
                    "fields": _fields(schema, schemas),
                    "example": None if example is None else json.dumps(example, indent=1, ensure_ascii=False),
                    "answer": _fields(_resolved(answer, schemas), schemas),
                    "answer_example": _answer_example(operation),
                    "problems": [
                        {"status": status, "text": each["description"]}
                        for status, each in operation["responses"].items()
                        if not status.startswith("2")
                    ],
                }
            )
    return found


def _answer(operation: dict[str, Any]) -> dict[str, Any]:
    content = operation["responses"].get("200", {}).get("content", {})
    schema: dict[str, Any] = content.get("application/json", {}).get("schema", {})
    item: dict[str, Any] = schema.get("items", schema)
    return item


def _answer_example(operation: dict[str, Any]) -> str | None:
    content = operation["responses"].get("200", {}).get("content", {}).get("application/json", {})
    return json.dumps(content["example"], indent=1, ensure_ascii=False) if "example" in content else None


def _resolved(schema: dict[str, Any] | None, schemas: dict[str, Any]) -> dict[str, Any]:
    if schema is None:
        return {}
    return schemas.get(schema["$ref"].rpartition("/")[2], {}) if "$ref" in schema else schema


def _fields(schema: dict[str, Any], schemas: dict[str, Any]) -> list[dict[str, Any]]:
    needed = schema.get("required", [])
    return [
        {
            "name": name,
            "type": _type(each),
            "needed": name in needed,
            "default": "" if "default" not in each or each["default"] is None else json.dumps(each["default"]),
            "text": each.get("description") or _inner(each, schemas),
        }
        for name, each in schema.get("properties", {}).items()
    ]


def _inner(schema: dict[str, Any], schemas: dict[str, Any]) -> str:
    """Return the fields of the schema that a field refers to, if any."""
    options = [schema, schema.get("items", {}), *schema.get("anyOf", [])]
    for option in options:
        if "$ref" in option:
            return "with " + ", ".join(_resolved(option, schemas).get("properties", {}))
    return ""


def _type(schema: dict[str, Any]) -> str:
    """Return a schema in a few words."""
    if "$ref" in schema:
        return str(schema["$ref"].rpartition("/")[2])
    if "anyOf" in schema:
        return " or ".join(_type(each) for each in schema["anyOf"])
    if "enum" in schema or "const" in schema:
        return ", ".join(json.dumps(each) for each in schema.get("enum", [schema.get("const")]))
    if schema.get("type") == "array":
        return f"list of {_type(schema.get('items', {}))}"
    if schema.get("type") == "object" and isinstance(schema.get("additionalProperties"), dict):
        return f"object of {_type(schema['additionalProperties'])}"
    return str(schema.get("type", "anything"))
