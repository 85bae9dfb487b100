import assert from 'node:assert/strict';
import { QuestionDesk } from '../../extension/editor/question-desk.ts';

function desk(seen: readonly boolean[]): { readonly desk: QuestionDesk; readonly later: () => void } {
  const looks = [...seen];
  let later = (): void => {};
  return {
    desk: new QuestionDesk({ after: (_ms, run) => { later = run; return () => {}; }, unseenMs: () => 1, isSeen: () => looks.shift() ?? false, onChange: () => {} }),
    later: () => later(),
  };
}

suite('Questions to the person', () => {
  test('one that nobody has seen is not left waiting', async () => {
    const { desk: questions, later } = desk([false, false]);
    const asked = questions.ask('c', { text: '?', options: [] }, new AbortController().signal);
    assert.equal(questions.open, 1);
    later();
    await assert.rejects(asked, { code: 'ASK_UNAVAILABLE' });
    assert.equal(questions.open, 0);
  });

  for (const seen of [[true, false], [false, true]]) {
    test(`one that was seen waits for its answer (${seen.join()})`, async () => {
      const { desk: questions, later } = desk(seen);
      const asked = questions.ask('c', { text: '?', options: [] }, new AbortController().signal);
      later();
      questions.reply('c', 'this one');
      assert.equal(await asked, 'this one');
    });
  }
});
