import type { ModelRequest } from '../model-client.ts';
import { argumentOf, readConversation, type Conversation, type Outcome } from './conversation.ts';
import { editOf, firstText, protectedText, shorterText, type EditArguments } from './files.ts';
import { firstRoot, freeName } from './workspace.ts';

/** What the demonstration says next: words, and calls that it proposes. */
export interface TourStep {
  readonly text: string;
  readonly calls: readonly { readonly name: string; readonly arguments: object }[];
}

type Call = TourStep['calls'][number];

/** What the tour knows of the request beside what happened. */
interface Place {
  /** Stands before every path: empty, or the first folder's name and `/` where there are several. */
  readonly root: string;
  readonly hasPlan: boolean;
}

const planItems = ['Look around', 'Propose a new file', 'Change one line of it'] as const;

/**
 * The demonstration: a short tour in three turns of what a call goes through, in any workspace. It is a function of the request alone,
 * so it copes with whatever the person does: allows, denies, stops, asks something else, opens another folder.
 */
export function tourStep({ messages, tools }: Pick<ModelRequest, 'messages' | 'tools'>): TourStep {
  const conversation = readConversation(messages);
  const place: Place = { root: firstRoot(messages), hasPlan: tools.some(({ name }) => name === 'update_plan') };
  switch (conversation.earlierTurns) {
    case 0: return makeFile(conversation, place);
    case 1: return writeProtected(conversation, place);
    case 2: return lookOutside(conversation, place);
    default: return say('The tour is over: it has three stops, and **New Session** starts it again. To work with a real model, choose **Add a model…** where the model\'s name stands, below the composer.');
  }
}

function makeFile(conversation: Conversation, place: Place): TourStep {
  const { outcomes } = conversation;
  const listing = lastOf(outcomes, 'list_directory');
  if (listing === undefined) {
    return propose(
      'I am a **demonstration**: a script, not a model. Whatever you write, I show the same short tour, and nothing is sent anywhere. '
      + 'But every call that I propose is a real one: it goes through the same gate as a model\'s, and only you can sign it.\n\n'
      + 'First I look around. Reading inside the workspace needs no signature:',
      ...plan(place, 0), { name: 'list_directory', arguments: {} },
    );
  }
  if (listing.ending !== 'done') return stop(listing, 'The tour writes a small file, and needs a folder to write it into. Open one, then choose **New Session**.');
  const edit = lastOf(outcomes, 'edit_file');
  if (edit !== undefined) return afterEdit(edit, conversation, place);
  const read = lastOf(outcomes, 'read_file');
  if (read !== undefined) return afterRead(read, place);
  const writes = outcomes.filter(({ tool }) => tool === 'write_file');
  const write = writes.at(-1);
  if (write !== undefined) return afterWrite(write, writes.length);
  const path = `${place.root}${freeName(listing.text, place.root)}`;
  return propose(
    `Now I would like to create a file, \`${path}\`. That changes something, so it asks. The card shows **exactly** what would be written; nothing is, until you allow it:`,
    ...plan(place, 1), { name: 'write_file', arguments: { path, content: firstText } },
  );
}

function afterWrite(write: Outcome, attempts: number): TourStep {
  const path = argumentOf(write, 'path');
  switch (write.ending) {
    case 'done':
      return propose(`Signed, and written byte for byte as the card showed it:\n\n${quote(write)}\n\nA file has to be read before it may be edited, so I read it:`, { name: 'read_file', arguments: { path } });
    case 'denied by the person':
      if (attempts > 1) return say(`Denied once more, so I leave it: no file was written.\n\n${quote(write)}\n\n${onward('something that carries a warning')}`);
      return propose(
        `You denied it, and nothing was written. This is what a model reads of a denial:\n\n${quote(write)}\n\n`
        + 'It is an instruction: a model should do what the reason says, and never try the same by a detour. Being a script I can only take it in one way: a smaller file.',
        { name: 'write_file', arguments: { path, content: shorterText } },
      );
    case 'denied by a rule': return stop(write, 'No person was asked: a rule decided. In **Plan** mode every change is denied. Switch to **Ask** and choose **New Session** to see the rest.');
    case 'failed': return stop(write, onward('something that carries a warning'));
  }
}

function afterRead(read: Outcome, place: Place): TourStep {
  if (read.ending !== 'done') return stop(read, onward('something that carries a warning'));
  const path = argumentOf(read, 'path');
  const edit = editOf(path, read.text);
  if (edit === null) return say(`\`${path}\` is not as I wrote it any more, so I leave it as it is. ${onward('something that carries a warning')}`);
  return propose(
    'And now a change of one line. Choose **Open diff** on the card to see it in the editor\'s own diff view, and deny it with a reason if you like to see what becomes of that:',
    ...plan(place, 2), editCall(edit),
  );
}

function afterEdit(edit: Outcome, { outcomes }: Conversation, place: Place): TourStep {
  // The plan is ticked off in a step of its own, before the last words.
  if (edit.ending === 'done' && place.hasPlan && outcomes.at(-1) === edit) return propose('That was the last point of the plan:', ...plan(place, planItems.length));
  switch (edit.ending) {
    case 'done':
      return say(`Done: one line changed, the rest of the file is as it was, byte for byte. **Undo** on the line above takes it back, by a call that is shown to you first.\n\n${onward('something that carries a warning')}`);
    case 'denied by the person':
      return say(`You denied it, so the line stays as it is. This is what a model reads of that, your reason among it:\n\n${quote(edit)}\n\n${onward('something that carries a warning')}`);
    case 'denied by a rule':
    case 'failed':
      return stop(edit, onward('something that carries a warning'));
  }
}

function writeProtected({ outcomes }: Conversation, place: Place): TourStep {
  const write = lastOf(outcomes, 'write_file');
  if (write === undefined) {
    return propose(
      'The second stop is a **protected** place. What lies in `.vscode` can make the editor run things, so a change there always asks, whatever the rules allow, and the card says why:',
      { name: 'write_file', arguments: { path: `${place.root}.vscode/countersign-demo.json`, content: protectedText } },
    );
  }
  switch (write.ending) {
    case 'done': return say(`Written. This one is harmless; in general, look twice where a card carries a warning.\n\n${onward('a look outside of the workspace')}`);
    case 'denied by the person': return say(`A good habit for such a place:\n\n${quote(write)}\n\n${onward('a look outside of the workspace')}`);
    case 'denied by a rule':
    case 'failed': return stop(write, onward('a look outside of the workspace'));
  }
}

function lookOutside({ outcomes }: Conversation, place: Place): TourStep {
  const look = lastOf(outcomes, 'list_directory');
  if (look === undefined) {
    return propose('The last stop: I would like to see what stands **beside** this folder. That is outside of the workspace, and even looking there is never done unasked:', { name: 'list_directory', arguments: { path: `${place.root}..` } });
  }
  if (look.ending === 'done') return say(`You let me look: ${look.text.split('\n').length} entries. That was the tour; **New Session** starts it again.`);
  return stop(look, 'I have not seen a single name of it. That was the tour; **New Session** starts it again.');
}

/** The plan, with `done` points ticked off and the next one under way. */
function plan(place: Place, done: number): readonly Call[] {
  if (!place.hasPlan) return [];
  const items = planItems.map((text, index) => ({ text, status: index < done ? 'done' : index === done ? 'active' : 'pending' }));
  return [{ name: 'update_plan', arguments: { items } }];
}

function lastOf(outcomes: readonly Outcome[], tool: string): Outcome | undefined {
  return outcomes.findLast((outcome) => outcome.tool === tool);
}

const say = (text: string): TourStep => ({ text, calls: [] });
const propose = (text: string, ...calls: readonly Call[]): TourStep => ({ text, calls });
const editCall = (args: EditArguments): Call => ({ name: 'edit_file', arguments: args });
const stop = (outcome: Outcome, after: string): TourStep => say(`That did not happen:\n\n${quote(outcome)}\n\n${after}`);
const onward = (what: string): string => `Write anything to go on to the next stop: ${what}.`;

/** The beginning of what the model read, as a Markdown quotation. */
function quote({ text }: Outcome): string {
  return text.slice(0, 500).replace(/^/gm, '> ');
}
