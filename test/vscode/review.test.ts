import assert from 'node:assert/strict';
import { commands, Uri, window, workspace } from 'vscode';
import type { Ask } from '../../extension/boundary/ask.ts';
import { sha256 } from '../../extension/boundary/digest.ts';
import { baseScheme, proposedScheme } from '../../extension/editor/names.ts';
import { DiffReview } from '../../extension/editor/diff-review.ts';

const digest = sha256('the effects');
function askOf(call: string): Ask {
  return {
    call, digest,
    verdict: { decision: 'ask', decidedBy: 'no rule', reason: '', rules: [], revision: '' },
    content: { effects: [], claims: [], diffs: [], warnings: [] },
    files: [{ path: '/w/a.txt', display: 'a.txt', base: Buffer.from('one\n'), result: Buffer.from('ONE\n') }],
  };
}

suite('The diff of an ask', () => {
  const answers: object[] = [];
  const shown: string[] = [];
  const desk = {
    shown: (call: string) => { shown.push(call); },
    answer: (given: object) => {
      answers.push(given);
      return null;
    },
  };
  // Beside the extension's own, which is not active yet or serves other calls.
  const review = new DiffReview(desk);
  suiteTeardown(() => review.dispose());

  test('shows base and result as they were signed, in documents that nobody can edit, and says that it is shown', async () => {
    const ask = askOf('c1');
    review.opened(ask);
    assert.equal(await review.show('c1', 0), true);
    const right = window.activeTextEditor?.document;
    assert.equal(right?.uri.scheme, proposedScheme);
    assert.equal(right?.getText(), 'ONE\n');
    const left = await workspace.openTextDocument(right?.uri.with({ scheme: baseScheme }) ?? Uri.file('/none'));
    assert.equal(left.getText(), 'one\n');
    assert.ok(shown.includes('c1'));
    await review.closed(ask);
  });

  test('answers with the call and the digest of the document in its title bar', async () => {
    const ask = askOf('c2');
    review.opened(ask);
    await review.show('c2', 0);
    await review.answer('allow', window.activeTextEditor?.document.uri, false);
    assert.deepEqual(answers.at(-1), { call: 'c2', digest, place: 'diff', answer: 'allow', reason: '' });
    await review.closed(ask);
    assert.equal(window.tabGroups.all.flatMap(({ tabs }) => tabs).filter(({ label }) => label.includes('proposed change')).length, 0, 'the tab went with the ask');
  });

  test('answers nothing where no diff is given and none is active', async () => {
    await commands.executeCommand('workbench.action.closeAllEditors');
    const before = answers.length;
    void review.answer('allow', undefined, false);
    void review.answer('allow', Uri.file('/w/a.txt'), false);
    await new Promise((resolve) => setTimeout(resolve, 200));
    assert.equal(answers.length, before);
  });

  test('shows nothing of a call that is not open', async () => {
    assert.equal(await review.show('gone', 0), false);
  });
});
