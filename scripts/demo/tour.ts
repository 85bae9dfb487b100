import { readConversation, type Conversation, type Outcome } from './conversation.ts';
import { months, monthsInFull, testScript, type EditArguments } from './sample-edits.ts';

/** What the demonstration says next: words, and calls that it proposes. */
export interface TourStep {
  readonly text: string;
  readonly calls: readonly { readonly name: string; readonly arguments: object }[];
}

/** What a result tells: the tools' errors start with their code. */
type Ending = 'done' | 'denied by the person' | 'denied by a rule' | 'failed';

/**
 * The scripted demonstration: a short tour of the sample workspace in three turns. It is a function of the request alone,
 * so it copes with whatever the person does: allows, denies, stops, asks something else, opens another folder.
 */
export function tourStep(requestBody: unknown): TourStep {
  const conversation = readConversation(requestBody);
  switch (conversation.earlierTurns) {
    case 0: return addMonths(conversation);
    case 1: return changeTestScript(conversation);
    case 2: return readOutside(conversation);
    default: return say('The tour is over: it has three stops. **New Session** starts it again, and **Open Settings** is where a real model is set up.');
  }
}

function addMonths({ outcomes }: Conversation): TourStep {
  const edits = outcomes.filter(({ tool }) => tool === 'edit_file');
  const lastEdit = edits.at(-1);
  if (lastEdit !== undefined) return afterMonths(lastEdit, edits.length);
  const source = outcomes.find(({ tool }) => tool === 'read_file');
  if (source === undefined) {
    return propose(
      'I am a **scripted demonstration**, not a model. Whatever you write, I show the same short tour, and everything that I propose goes through the real gate.\n\n'
      + 'This folder holds `ms`, a small library that turns `"2 days"` into milliseconds. It knows weeks and years, but not months. '
      + 'I would like to add them, so I look around first. Reading inside the workspace needs no signature of yours:',
      { name: 'list_directory', arguments: {} }, { name: 'read_file', arguments: { path: 'index.js' } },
    );
  }
  if (endingOf(source) !== 'done') return stop(source, 'The tour is made for the sample that `npm start` opens; in this folder I cannot go on.');
  if (source.text.includes("'months'")) return say('`index.js` knows months already, so there is nothing left to change at this stop. Write anything to go on to the next.');
  return propose(
    'Three places have to change together:\n\n'
    + '1. a constant for the length of a month,\n2. the pattern that accepts a unit,\n3. the `switch` that multiplies.\n\n'
    + 'I propose them as **one** edit. Nothing is written until you have signed exactly this:',
    edit(months),
  );
}

function afterMonths(outcome: Outcome, attempts: number): TourStep {
  switch (endingOf(outcome)) {
    case 'done':
      return say(
        'Signed, and written byte for byte as the card showed it. Now this works:\n\n```js\nms(\'2 months\') // 5259600000\n```\n\n'
        + 'Write anything to go on: next I would like to change what `npm test` runs, and that is a protected place.',
      );
    case 'denied by the person':
      if (attempts > 1) return say(`Denied once more; then \`index.js\` stays as it is.\n\n${quote(outcome)}\n\nWrite anything to go on to the next stop.`);
      return propose(
        `You denied it, and this is what I read of that:\n\n${quote(outcome)}\n\n`
        + 'A denial is an instruction, so I do not ask for the same again. Being a script I can only take it in one way: a smaller change, without the abbreviation `mo` and without a new constant.',
        edit(monthsInFull),
      );
    case 'denied by a rule': return stop(outcome, 'No person was asked: a rule decided. In *Plan* mode every change is denied; switch to *Ask* and write again.');
    case 'failed': return stop(outcome, 'I read that as a model would. Write anything to go on to the next stop.');
  }
}

function changeTestScript({ outcomes }: Conversation): TourStep {
  const change = outcomes.find(({ tool }) => tool === 'edit_file');
  if (change !== undefined) {
    switch (endingOf(change)) {
      case 'done': return say('Written. The card carried a warning: scripts in `package.json` run with your rights the next time someone types `npm test`.\n\nThe last stop: I would like to read a file outside of the workspace. Write anything to go on.');
      case 'denied by the person': return say(`A good habit for a file that runs things:\n\n${quote(change)}\n\nWrite anything to go on to the last stop, a file outside of the workspace.`);
      case 'denied by a rule':
      case 'failed': return stop(change, 'Write anything to go on to the last stop, a file outside of the workspace.');
    }
  }
  if (!outcomes.some(({ tool }) => tool === 'read_file')) {
    return propose('The second stop is `package.json`. A file has to be read before it may be edited:', { name: 'read_file', arguments: { path: testScript.path } });
  }
  return propose('The tests should also fail when the code leaks a global variable. That changes a **script**, so it asks whatever the rules allow:', edit(testScript));
}

function readOutside({ outcomes }: Conversation): TourStep {
  const read = outcomes.find(({ tool }) => tool === 'read_file');
  if (read === undefined) {
    return propose('The last stop: `/etc/hosts` lies outside of the workspace. Reading there is never done unasked, whatever the rules say:', { name: 'read_file', arguments: { path: '/etc/hosts' } });
  }
  if (endingOf(read) === 'done') return say(`You let me read it: ${read.text.split('\n').length} lines. That was the tour; **New Session** starts it again.`);
  return stop(read, 'I have not seen a byte of it. That was the tour; **New Session** starts it again.');
}

function endingOf({ text }: Outcome): Ending {
  if (text.startsWith('DENIED_BY_PERSON')) return 'denied by the person';
  if (text.startsWith('DENIED_BY_POLICY')) return 'denied by a rule';
  return /^[A-Z]+(?:_[A-Z]+)+: /.test(text) ? 'failed' : 'done';
}

const say = (text: string): TourStep => ({ text, calls: [] });
const propose = (text: string, ...calls: TourStep['calls']): TourStep => ({ text, calls });
const edit = (args: EditArguments): TourStep['calls'][number] => ({ name: 'edit_file', arguments: args });
const stop = (outcome: Outcome, after: string): TourStep => say(`That did not happen:\n\n${quote(outcome)}\n\n${after}`);

/** The beginning of what the model read, as a Markdown quotation. */
function quote({ text }: Outcome): string {
  return text.slice(0, 500).replace(/^/gm, '> ');
}
