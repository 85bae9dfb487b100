import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createAgent } from '../../extension/agent/loop.ts';
import type { AgentEvent } from '../../extension/agent/events.ts';
import { sha256 } from '../../extension/boundary/digest.ts';
import type { LoggedImage } from '../../extension/session/records.ts';
import { MemoryLog, RecordingPipeline } from '../unit/agent/agents.ts';
import { networkClientOf } from '../unit/model/network-clients.ts';
import { cases, type Case } from './cases.ts';
import { protocols, type ProtocolUnderTest } from './protocols.ts';

interface Row {
  readonly name: string;
  readonly protocol: string;
  readonly outcome: string;
  readonly message: string;
}

const rows: Row[] = [];
after(() => console.log(asTable(rows)));

/** One turn of the real agent against a server that misbehaves so. */
async function outcomeOf(one: Case, { protocol, model, start }: ProtocolUnderTest): Promise<Row & { readonly ended: unknown; readonly slept: readonly number[] }> {
  const last = one.replies.at(-1);
  assert.ok(last !== undefined);
  const server = await start((_request, n) => one.replies[n] ?? last, one.server);
  try {
    const log = new MemoryLog();
    const events: AgentEvent[] = [];
    const slept: number[] = [];
    const image: LoggedImage = { digest: sha256(Buffer.from('i')), mediaType: 'image/png', bytes: 1, thumbnail: 'data:image/png;base64,' };
    let ids = 0;
    const client = networkClientOf(protocol, server.baseUrl, { model, ...one.client });
    const agent = createAgent({
      log, pipeline: new RecordingPipeline(log), client: () => client, schemas: () => [], systemPrompt: () => 'system', random: () => 0, newId: () => `id${++ids}`,
      sleep: (ms) => { slept.push(ms); return Promise.resolve(); },
      image: () => Promise.resolve('A'.repeat(one.image ?? 0)),
      onEvent: (event) => events.push(event),
    });
    agent.send({ text: 'Go.', images: one.image === undefined ? [] : [image] }, 'next-step');
    await agent.settled();
    const failed = events.find((event) => event.type === 'failed');
    const requests = server.requests.length;
    const ended = failed === undefined ? 'answered' : { kind: failed.failure.kind, requests };
    const outcome = `${failed?.failure.kind ?? 'answered'}, ${requests} ${requests === 1 ? 'request' : 'requests'}`;
    return { name: one.name, protocol, outcome, message: failed?.failure.message ?? '', ended, slept };
  } finally {
    await server.close();
  }
}

/** A sentence that tells the reader to do something. */
const saysWhatToDo = /(^|[.:] )(Try|Check|Set|Start|Use|Wait|Choose|Add|Write)\b|, and try again/;

for (const one of cases) {
  for (const under of protocols) {
    test(`${one.name}, ${under.protocol}`, async () => {
      const { ended, slept, ...row } = await outcomeOf(one, under);
      rows.push(row);
      assert.deepEqual(ended, one.ending, row.message);
      if (ended !== 'answered') assert.match(row.message, saysWhatToDo);
      assert.ok(row.message.length < 900, row.message);
      // No wait is longer than its longest, whatever a server or a clock says.
      assert.ok(slept.every((ms) => ms >= 0 && ms <= 1000) && slept.length <= 5 * 60, slept.join());
    });
  }
}

/** A row for each case, a column for each protocol, and the message that the first gives. */
function asTable(all: readonly Row[]): string {
  const width = 26;
  const lines = cases.map(({ name }) => {
    const own = all.filter((row) => row.name === name);
    const outcomes = protocols.map((under) => (own.find(({ protocol }) => protocol === under.protocol)?.outcome ?? '-').padEnd(width));
    const message = own.find((row) => row.message !== '')?.message ?? '';
    return `${name.padEnd(40)}${outcomes.join('')}${message.replaceAll(/127\.0\.0\.1:\d+/g, 'HOST').slice(0, 120)}`;
  });
  return ['What becomes of a turn where the server misbehaves:', `${''.padEnd(40)}${protocols.map(({ protocol }) => protocol.padEnd(width)).join('')}`, ...lines].join('\n');
}
