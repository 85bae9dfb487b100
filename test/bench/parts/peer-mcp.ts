import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { CallToolRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { type Samples, sampled } from './call-times.ts';
import { argumentsText, checkedPlan, expectNarration, inWords, showPlan } from './plan-call.ts';
import * as plan from './plan-call.ts';

/** A client and a server of the Model Context Protocol in one process, the tool at the lower level of the SDK's server: the quicker of its two. */
export async function benchMcp(calls: number): Promise<Samples> {
  const server = new McpServer({ name: 'bench', version: '1.0.0' }, { capabilities: { tools: {} } });
  server.server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    if (params.name !== plan.name) throw new Error(`there is no tool ${params.name}`);
    return { content: [{ type: 'text', text: inWords(await showPlan(checkedPlan(params.arguments))) }] };
  });
  const client = new Client({ name: 'bench', version: '1.0.0' });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(theirs), client.connect(ours)]);
  try {
    const call = async (): Promise<undefined> => {
      const args: unknown = JSON.parse(argumentsText);
      const { content } = await client.callTool({ name: plan.name, arguments: { ...checkedPlan(args) } });
      expectNarration(textOf(content), 'MCP');
    };
    await sampled(1000, 1, call);
    return await sampled(calls, 1, call);
  } finally {
    await client.close();
    await server.close();
  }
}

function textOf(content: unknown): unknown {
  const first: unknown = Array.isArray(content) ? content[0] : null;
  return typeof first === 'object' && first !== null && 'text' in first ? first.text : null;
}
