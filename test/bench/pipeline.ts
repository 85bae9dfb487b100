import { endOnSignal } from '../../scripts/end-on-signal.ts';
import { temporaryFolder } from '../../scripts/temporary-folder.ts';
import { type CallTimes, type Samples, timesOf } from './parts/call-times.ts';
import { benchConcurrentStep } from './parts/concurrent-step.ts';
import { benchFloor } from './parts/floor.ts';
import { atMost, type Goal, median } from './parts/goals.ts';
import { benchOurs, heapOfSession } from './parts/ours.ts';
import { benchAi } from './parts/peer-ai.ts';
import { benchDshTools } from './parts/peer-dsh-tools.ts';
import { benchMcp } from './parts/peer-mcp.ts';
import { benchOpenAiAgents } from './parts/peer-openai-agents.ts';

/** Times are microseconds of one call unless their name says otherwise. */
interface PipelineReport {
  readonly goals: {
    readonly medianInMemory: Goal;
    /** The median in a session of 100,000, by that in sessions of 1,000. */
    readonly growthInMemory: Goal;
    readonly growthOnDisk: Goal;
    readonly heapMegabytesOf100000: Goal;
    /** Median by median; of the loops, those of short turns. */
    readonly shareOfAi: Goal;
    readonly shareOfMcp: Goal;
    /** Ten calls of 50 ms. */
    readonly concurrentStepMs: Goal;
  };
  readonly inMemory: Sizes;
  readonly onDisk: Sizes;
  readonly beside: Readonly<Record<Contender, CallTimes>>;
  /** One turn of 1,000 calls: what grows with the length of a turn is in it. */
  readonly longTurn: { readonly ai: CallTimes; readonly openaiAgents: CallTimes };
}

type Contender = 'ours' | 'ai' | 'openaiAgents' | 'mcp' | 'dshTools' | 'floor';

interface Sizes {
  readonly of1000: CallTimes;
  readonly of10000: CallTimes;
  readonly of100000: CallTimes;
}

/** In turn, so that a busy machine is busy for all of them. */
const rounds = 4;
const callsOfRound = 1000;
const stepsOfShortTurn = 5;
const shortTurns = callsOfRound / (stepsOfShortTurn * 8);
const stepsOfLongTurn = callsOfRound / 8;

async function benchPipeline(home: string): Promise<PipelineReport> {
  // Until the engine has compiled what is called most.
  await benchOurs(home, 'memory', 10_000);
  const inMemory = await sizesOf(home, 'memory');
  const onDisk = await sizesOf(home, 'disk');
  const beside = await besideOthers(home);
  const longTurn = { ai: timesOf([await benchAi(1, stepsOfLongTurn)]), openaiAgents: timesOf([await benchOpenAiAgents(1, stepsOfLongTurn)]) };
  return {
    goals: {
      medianInMemory: atMost(25, inMemory.of10000.median),
      growthInMemory: atMost(1.3, inMemory.of100000.median / inMemory.of1000.median),
      growthOnDisk: atMost(1.3, onDisk.of100000.median / onDisk.of1000.median),
      heapMegabytesOf100000: atMost(200, await heapOfSession(home, 100_000)),
      shareOfAi: atMost(0.25, beside.ours.median / beside.ai.median),
      shareOfMcp: atMost(1, beside.ours.median / beside.mcp.median),
      concurrentStepMs: atMost(60, median(await benchConcurrentStep(home, 5))),
    },
    inMemory, onDisk, beside, longTurn,
  };
}

async function sizesOf(home: string, place: 'memory' | 'disk'): Promise<Sizes> {
  const of1000: Samples[] = [];
  const someShort = async (): Promise<void> => {
    for (let session = 0; session < 5; session += 1) of1000.push(await benchOurs(home, place, 1000));
  };
  // Before and after the long one: a machine that is busy for a while is no growth.
  await someShort();
  const of100000 = [await benchOurs(home, place, 100_000)];
  const of10000 = [await benchOurs(home, place, 10_000)];
  await someShort();
  return { of1000: timesOf(of1000), of10000: timesOf(of10000), of100000: timesOf(of100000) };
}

async function besideOthers(home: string): Promise<Readonly<Record<Contender, CallTimes>>> {
  const measured: Record<Contender, Samples[]> = { ours: [], ai: [], openaiAgents: [], mcp: [], dshTools: [], floor: [] };
  for (let round = 0; round < rounds; round += 1) {
    measured.ours.push(await benchOurs(home, 'memory', callsOfRound));
    measured.ai.push(await benchAi(shortTurns, stepsOfShortTurn));
    measured.openaiAgents.push(await benchOpenAiAgents(shortTurns, stepsOfShortTurn));
    measured.mcp.push(await benchMcp(callsOfRound));
    measured.dshTools.push(await benchDshTools(callsOfRound));
    measured.floor.push(await benchFloor(callsOfRound));
  }
  const { ours, ai, openaiAgents, mcp, dshTools, floor } = measured;
  return { ours: timesOf(ours), ai: timesOf(ai), openaiAgents: timesOf(openaiAgents), mcp: timesOf(mcp), dshTools: timesOf(dshTools), floor: timesOf(floor) };
}

endOnSignal();
const home = await temporaryFolder('bench-pipeline');
try {
  console.log(JSON.stringify(await benchPipeline(home.path), null, 2));
} finally {
  await home.remove();
}
