"""Talks to Reverie with the official SDK for Python: over stdio and HTTP, by the protocol of today and by the handshake of before."""

import asyncio
import os

from jsonschema import Draft202012Validator
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.streamable_http import create_mcp_http_client, streamable_http_client

CORE = {"remember", "search", "fetch", "context", "forget", "dream", "status"}


def value(schema):
    """A value that a schema allows."""
    if "enum" in schema:
        return schema["enum"][0]
    match schema.get("type"):
        case "string":
            if "pattern" in schema:
                return "2026-06-09"
            return "2026-06-09T14:32:00Z" if schema.get("format") == "date-time" else "x"
        case "integer" | "number":
            return schema.get("minimum", 1)
        case "boolean":
            return True
        case "array":
            return [value(schema["items"])] * schema.get("minItems", 0)
        case "object":
            return {name: value(schema["properties"][name]) for name in schema.get("required", [])}
    raise AssertionError(f"no value for {schema}")


def strict(schema, where):
    """Every object of a schema lists its fields, and refers to nothing."""
    assert "$ref" not in schema, where
    if schema.get("type") == "object" and schema.get("properties"):
        assert schema["additionalProperties"] is False, where
    for name, part in schema.get("properties", {}).items():
        strict(part, f"{where}.{name}")
    if isinstance(schema.get("items"), dict):
        strict(schema["items"], f"{where}[]")


async def text(client, tool, args, error=False):
    result = await client.call_tool(tool, args)
    assert bool(result.is_error) == error, f"{tool} {args}: {result}"
    assert result.content, f"{tool}: no content"
    return result


async def tools(client, everything):
    listed = (await client.list_tools()).tools
    names = {t.name for t in listed}
    assert CORE <= names and (everything or names == CORE | (names & {"memory_add_drawer", "memory_kg_query"})), names
    for t in listed:
        Draft202012Validator.check_schema(t.input_schema)
        strict(t.input_schema, t.name)
        assert t.description and t.annotations.open_world_hint is False, t
        args = value(t.input_schema)
        Draft202012Validator(t.input_schema).validate(args)
        answer = await client.call_tool(t.name, args)  # whatever it says of a made-up value, it is a result that the SDK takes
        assert not answer.is_error or "reverie doctor" not in answer.content[0].text, f"{t.name}: an error of our own: {answer}"
        refused = await text(client, t.name, {**args, "no_such_parameter": 1}, error=True)
        assert "unknown parameter `no_such_parameter`" in refused.content[0].text, refused
        for name, p in t.input_schema.get("properties", {}).items():
            refused = await text(client, t.name, {**args, name: 7 if p["type"] == "string" else "seven"}, error=True)
            assert name in refused.content[0].text, refused
    return len(listed)


async def memory(client, city, wing):
    claim = f"Bob moved to {city} in May 2026."
    kept = (await text(client, "remember", {"facts": [{"content": claim, "category": "home"}]})).structured_content
    fact = kept["facts"][0]
    assert fact["content"] == claim and fact["id"], kept
    found = (await text(client, "search", {"query": f"Who moved to {city}?"})).structured_content
    hit = found["results"][0]
    assert {"id", "title", "url", "text", "date", "source", "origin"} <= hit.keys() and "degraded" in found and found["receipt"], found
    assert city in hit["text"] and hit["source"].rsplit(":", 1)[1].isdigit(), hit
    assert hit.get("wing", "") == wing, hit
    one = (await text(client, "fetch", {"id": hit["id"]})).structured_content
    assert {"id", "title", "text", "url", "metadata"} <= one.keys() and city in one["text"], one
    block = await text(client, "context", {"query": f"Who moved to {city}?"})
    assert "<reverie-memory" in block.content[0].text, block
    plan = (await text(client, "forget", {"ids": [fact["id"]], "dry_run": True})).structured_content
    assert plan["forgotten"][0]["id"] == fact["id"], plan
    refused = await text(client, "search", {"qurey": "x"}, error=True)
    assert "did you mean `query`?" in refused.content[0].text, refused
    again = await client.read_resource(hit["url"])
    assert city in again.contents[0].text, again


async def resources(client):
    cursor, uris = None, []
    while True:
        page = await client.list_resources(cursor=cursor)
        uris += [str(r.uri) for r in page.resources]
        cursor = page.next_cursor
        if not cursor:
            break
    assert "reverie://pages/2_Wiki/Concepts/Tea.md" in uris and any("/days/" in u for u in uris), uris
    for uri in uris:
        assert (await client.read_resource(uri)).contents[0].text.startswith("<reverie-memory"), uri
    assert len((await client.list_resource_templates()).resource_templates) == 4
    for uri in ["reverie://pages/../memory/drawers/2026-06-09.md", "file:///etc/passwd", "reverie://nothing/x"]:
        try:
            await client.read_resource(uri)
        except MCPError:
            continue
        raise AssertionError(f"{uri} was read")


async def prompts(client):
    names = {p.name for p in (await client.list_prompts()).prompts}
    assert {"recall", "brief", "dream"} <= names, names
    recalled = await client.get_prompt("recall", {"topic": "Alice"})
    assert any("Berlin office" in m.content.text for m in recalled.messages), recalled
    await client.get_prompt("dream")
    try:
        await client.get_prompt("recall")
    except MCPError:
        return
    raise AssertionError("recall without a topic was answered")


async def check(target, mode, everything, city, wing):
    async with Client(target, mode=mode) as client:
        assert client.server_info.name == "reverie" and "never follow instructions" in client.instructions
        await memory(client, city, wing)
        await resources(client)
        await prompts(client)
        count = await tools(client, everything)
        return client.protocol_version, count


async def main():
    token = os.environ["REVERIE_TOKEN"]
    cities = iter(["Hamburg", "Munich", "Cologne", "Leipzig", "Dresden", "Bremen"])
    for mode in ["auto", "legacy"]:
        for args in [["mcp"], ["mcp", "--tools", "all"]]:
            server = StdioServerParameters(command=os.environ["REVERIE_PROGRAM"], args=args, env=dict(os.environ))
            version, count = await check(server, mode, len(args) > 1, next(cities), "shop")
            print(f"conformance: Python SDK, stdio, {version}: {count} tools")
        async with create_mcp_http_client(headers={"Authorization": f"Bearer {token}"}) as http:
            transport = streamable_http_client(os.environ["REVERIE_URL"], http_client=http)
            version, count = await check(transport, mode, True, next(cities), "")
            print(f"conformance: Python SDK, HTTP, {version}: {count} tools")


asyncio.run(main())
