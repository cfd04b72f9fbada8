// Talks to Reverie with the official SDK for TypeScript, over stdio and HTTP.
import assert from 'node:assert/strict';
import Ajv2020 from 'ajv/dist/2020.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const ajv = new Ajv2020.default({ strict: true, allowUnionTypes: true, validateFormats: false });

// value is one that a schema allows.
function value(s) {
  if (s.enum) return s.enum[0];
  switch (s.type) {
    case 'string': return s.pattern ? '2026-06-09' : s.format === 'date-time' ? '2026-06-09T14:32:00Z' : 'x';
    case 'integer': case 'number': return s.minimum ?? 1;
    case 'boolean': return true;
    case 'array': return Array(s.minItems ?? 0).fill(value(s.items));
    case 'object': return Object.fromEntries((s.required ?? []).map((name) => [name, value(s.properties[name])]));
  }
  throw new Error(`no value for ${JSON.stringify(s)}`);
}

async function check(name, transport) {
  const client = new Client({ name: 'conformance', version: '1' });
  await client.connect(transport);
  assert.equal(client.getServerVersion().name, 'reverie');

  const found = await client.callTool({ name: 'search', arguments: { query: 'Where does Alice work?' } });
  assert.match(found.structuredContent.results[0].text, /Berlin office/);
  assert.deepEqual(JSON.parse(found.content[0].text), found.structuredContent);

  const { resources } = await client.listResources();
  for (const { uri } of resources) {
    const { contents } = await client.readResource({ uri });
    assert.match(contents[0].text, /^<reverie-memory/);
  }
  await assert.rejects(client.readResource({ uri: 'reverie://pages/memory/drawers/2026-06-09.md' }));
  const { prompts } = await client.listPrompts();
  assert.ok(prompts.some((p) => p.name === 'recall'));
  const recalled = await client.getPrompt({ name: 'recall', arguments: { topic: 'Alice' } });
  assert.ok(recalled.messages.some((m) => m.content.text.includes('Berlin office')));

  const { tools } = await client.listTools();
  for (const tool of tools) {
    const args = value(tool.inputSchema);
    assert.ok(ajv.compile(tool.inputSchema)(args), tool.name);
    const said = await client.callTool({ name: tool.name, arguments: args }); // of a made-up value it may say anything but that it broke
    assert.ok(!said.isError || !said.content[0].text.includes('reverie doctor'), `${tool.name}: ${said.content[0]?.text}`);
    const refused = await client.callTool({ name: tool.name, arguments: { ...args, no_such_parameter: 1 } });
    assert.ok(refused.isError && refused.content[0].text.includes('no_such_parameter'), tool.name);
  }
  await assert.rejects(client.callTool({ name: 'no_such_tool', arguments: {} }));

  await client.close();
  console.log(`conformance: TypeScript SDK, ${name}: ${tools.length} tools`);
}

const { REVERIE_PROGRAM, REVERIE_URL, REVERIE_TOKEN } = process.env;
await check('stdio', new StdioClientTransport({ command: REVERIE_PROGRAM, args: ['mcp', '--tools', 'all'], env: process.env }));
await check('HTTP', new StreamableHTTPClientTransport(new URL(REVERIE_URL), {
  requestInit: { headers: { Authorization: `Bearer ${REVERIE_TOKEN}` } },
}));
