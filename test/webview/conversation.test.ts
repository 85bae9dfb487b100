import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { composer, focusedIn, inChat, show } from './in-chat.ts';
import { answer, asking, assistant, call, conversation, context, editCard, models, outsideCard, plan, status, user } from './scenes.ts';

describe('the conversation', () => {
  inChat('takes no message that is none of the host’s, and names the fault', async (chat) => {
    await show(chat, [user('u', 'hello')]);
    for (const message of [null, 'text', { type: 'run' }, { type: 'remove' }, { type: 'entry', entry: { ...user('x', 'evil'), html: '<b>' } }, { type: 'delta', id: 'u', field: 'text', text: 7 }]) await chat.send(message);
    assert.deepEqual(await chat.page.locator('.user-text').allTextContents(), ['hello']);
    assert.equal(chat.warnings.length, 6);
    assert.match(chat.warnings.at(-1) ?? '', /type at "\/text"$/);
  });

  inChat('of 2,000 entries opens at its end, drawing only what is near it, and has the rest above', async (chat) => {
    await show(chat, Array.from({ length: 2000 }, (_, n) => (n % 2 === 0 ? user(`u${n}`, `question ${n}`) : assistant(`a${n}`, `answer **${n}**`))));
    await chat.page.getByText('answer 1999').waitFor();
    assert.equal(await chat.page.getByText('answer 1999').evaluate((element) => element.getBoundingClientRect().bottom <= innerHeight), true);
    assert.ok(await chat.page.locator('.entry').count() <= 400);
    for (let n = 0; n < 200 && await chat.page.getByText('question 0', { exact: true }).count() === 0; n += 1) {
      await chat.page.locator('.scroller').evaluate((box) => { box.scrollTop = 0; });
      await chat.settle();
    }
    assert.equal(await chat.page.locator('.entry').count(), 2000);
  });

  inChat('draws an old card that waits', async (chat) => {
    await show(chat, [asking('c', outsideCard('c')), ...Array.from({ length: 300 }, (_, n) => user(`u${n}`, `question ${n}`))]);
    await chat.page.getByRole('button', { name: 'Approval needed', exact: true }).click();
    await chat.untilRested();
  });

  inChat('follows its end, but never moves a person who has scrolled up', async (chat) => {
    await show(chat, [...conversation, assistant('a2', answer), assistant('a3', answer), assistant('s', 'begin', true)], { activity: 'streaming' });
    const place = () => chat.page.locator('.scroller').evaluate((box) => ({ top: Math.round(box.scrollTop), left: Math.round(box.scrollHeight - box.clientHeight - box.scrollTop) }));
    await chat.sendValid({ type: 'delta', id: 's', field: 'text', text: '\n\nmore'.repeat(40) });
    assert.ok((await place()).left <= 1);
    await chat.page.mouse.move(200, 300);
    await chat.page.mouse.wheel(0, -600);
    await chat.page.getByRole('button', { name: 'Jump to latest' }).waitFor();
    const { top } = await place();
    await chat.sendValid({ type: 'delta', id: 's', field: 'text', text: '\n\nmore'.repeat(40) });
    assert.equal((await place()).top, top);
    await chat.page.getByRole('button', { name: 'Jump to latest' }).click();
    await chat.settle();
    assert.ok((await place()).left <= 1);
    await chat.sendValid({ type: 'delta', id: 's', field: 'text', text: '\n\nmore'.repeat(40) });
    assert.ok((await place()).left <= 1);
  });

  inChat('lets go of what is far above its end, and draws it again for a person who scrolls up', async (chat) => {
    await show(chat, [user('u', 'go')], { activity: 'running' });
    const chunks = () => chat.page.locator('.chunk').count();
    const grow = async (from: number, to: number): Promise<void> => {
      for (let n = from; n < to; n++) await chat.sendValid({ type: 'entry', entry: assistant(`a${n}`, `Step ${n}`) });
      await chat.page.getByText(`Step ${to - 1}`, { exact: true }).waitFor();
    };
    await grow(0, 500);
    assert.ok(await chunks() <= 21, `${await chunks()} chunks of 26 are drawn`);
    const left = await chat.page.locator('.scroller').evaluate((box) => box.scrollHeight - box.clientHeight - box.scrollTop);
    assert.ok(left <= 1, `${left} pixels from the end`);
    await chat.page.mouse.move(200, 300);
    for (let n = 0; n < 200 && await chat.page.getByText('Step 20', { exact: true }).count() === 0; n++) await chat.page.mouse.wheel(0, -4000);
    await chat.page.getByText('Step 20', { exact: true }).waitFor();
  });

  inChat('says what happens politely, and that an answer is complete', async (chat) => {
    await show(chat, [user('u', 'go'), assistant('a', 'Hel', true)], { activity: 'streaming' });
    await chat.sendValid({ type: 'delta', id: 'a', field: 'text', text: 'lo' }, { type: 'entry', entry: assistant('a', 'Hello') }, { type: 'status', status });
    await chat.page.locator('[aria-live=polite]', { hasText: 'Answer complete' }).waitFor();
  });

  inChat('says what a queued message waits for, and what one can do about an error', async (chat) => {
    await show(chat, [asking('c', outsideCard('c')), user('u', 'and then', { queued: 'next-step' }), { kind: 'notice', id: 'n', level: 'error', text: 'The key was refused.', actions: [{ id: 'setKey', label: 'Set Key…' }] }]);
    await chat.page.getByText('Waiting until the card is answered').waitFor();
    await chat.page.getByRole('button', { name: 'Set Key…' }).click();
    assert.deepEqual(await chat.postedOf('action'), [{ type: 'action', id: 'setKey' }]);
  });

  inChat('lets a waiting message go now or come back, and says when it goes out', async (chat) => {
    await show(chat, [user('u', 'go'), user('q1', 'steer', { queued: 'next-step' }), user('q2', 'later', { queued: 'after-turn' })], { activity: 'streaming' });
    await chat.page.getByText('With the next step').waitFor();
    await chat.page.getByText('After this turn').waitFor();
    assert.equal(await chat.page.getByRole('button', { name: 'Send now' }).count(), 1);
    await chat.page.getByRole('button', { name: 'Send now' }).dblclick();
    await composer(chat).fill('what stands there');
    await chat.page.getByRole('button', { name: 'Edit' }).first().click();
    assert.deepEqual((await chat.posted()).slice(1), [{ type: 'sendNow', id: 'q2' }, { type: 'unqueue', id: 'q1' }]);
    await chat.sendValid({ type: 'remove', id: 'q1' }, { type: 'sendRefused', text: 'steer', why: '' });
    assert.equal(await composer(chat).inputValue(), 'steer\n\nwhat stands there');
    assert.equal(await chat.page.getByText('Not sent').count(), 0);
    assert.equal(await focusedIn(chat, '.composer'), true);
  });

  inChat('says of what waits while nothing runs that it goes out with the next message, and lets any of it go alone', async (chat) => {
    await show(chat, [user('u', 'go'), user('q1', 'steer', { queued: 'next-step' }), user('q2', 'later', { queued: 'after-turn' })]);
    assert.deepEqual(await chat.page.locator('.queued-when').allInnerTexts(), ['With your next message', 'With your next message']);
    await chat.page.getByRole('button', { name: 'Send now' }).first().click();
    assert.deepEqual(await chat.postedOf('sendNow'), [{ type: 'sendNow', id: 'q1' }]);
  });

  inChat('shows what is thought while nothing else comes, and folds it away then', async (chat) => {
    await show(chat, [user('u', 'go'), assistant('a', '', true, { thinking: 'First **this**' })], { activity: 'streaming' });
    await chat.sendValid({ type: 'delta', id: 'a', field: 'thinking', text: ', then that.' });
    const head = chat.page.getByRole('button', { name: 'Thinking' });
    assert.equal(await head.getAttribute('aria-expanded'), 'true');
    assert.equal(await chat.page.locator('.thinking pre').textContent(), 'First **this**, then that.');
    await chat.sendValid({ type: 'delta', id: 'a', field: 'text', text: 'Done.' });
    assert.equal(await head.getAttribute('aria-expanded'), 'false');
    await head.click();
    await chat.sendValid({ type: 'entry', entry: assistant('a', 'Done.', false, { thinking: 'First **this**, then that.' }) });
    assert.equal(await head.getAttribute('aria-expanded'), 'true', 'what the person opened stays open');
  });

  inChat('takes back one call, or all since a message, once', async (chat) => {
    await show(chat, [user('u', 'go', { canUndoSince: true }), call('c', { title: 'Edit a', canUndo: true })]);
    // Two clicks before anything is drawn anew.
    await chat.page.getByTitle('Undo this call').evaluate((button: HTMLElement) => { button.click(); button.click(); });
    await chat.page.locator('.user').hover();
    await chat.page.getByRole('button', { name: 'Undo since here' }).dblclick();
    assert.deepEqual((await chat.posted()).slice(1), [{ type: 'undo', callId: 'c' }, { type: 'undoSince', entryId: 'u' }]);
  });

  inChat('says why an undo failed without being asked, and can be told to be silent', async (chat) => {
    const detail = 'Nothing was undone. a was changed since in the same place.';
    await show(chat, [call('c', { status: 'failed', summary: 'failed', detail: 'Not for the person at once.' }), call('u', { tool: 'undo_changes', title: 'Undo changes of a', status: 'failed', summary: 'cannot be undone', detail })]);
    await chat.page.getByText(detail).waitFor();
    assert.equal(await chat.page.locator('.call-body').count(), 1);
    await chat.page.getByRole('button', { name: /Undo changes of a/ }).click();
    assert.equal(await chat.page.locator('.call-body').count(), 0);
  });

  inChat('asks for what came before when one scrolls up, once at a time, and the place stays', async (chat) => {
    const page = (from: number, count: number) => Array.from({ length: count }, (_, n) => assistant(`e${from + n}`, `entry ${from + n}`));
    await show(chat, page(900, 100), {}, { older: 900 });
    assert.deepEqual(await chat.postedOf('loadOlder'), [], 'not while nobody scrolls');
    const scroller = chat.page.locator('.scroller');
    for (let n = 0; n < 50 && (await chat.postedOf('loadOlder')).length === 0; n += 1) {
      await scroller.evaluate((box) => { box.scrollTop = 0; });
      await chat.settle();
    }
    await scroller.evaluate((box) => { box.scrollTop = 0; });
    await chat.settle();
    assert.equal((await chat.postedOf('loadOlder')).length, 1);
    const first = chat.page.getByText('entry 900', { exact: true });
    const topOf = (): Promise<number> => first.evaluate((element) => Math.round(element.getBoundingClientRect().top));
    const before = await topOf();
    await chat.sendValid({ type: 'older', entries: page(800, 100), older: 800 });
    await chat.settle();
    assert.ok(Math.abs(await topOf() - before) <= 2, 'the place of what is read');
    assert.ok(await chat.page.locator('.entry').count() > 100);
  });

  inChat('fits into 250 pixels', async (chat) => {
    await show(chat, [...conversation, asking('c', editCard('c', { warnings: ['This is outside the workspace.'] })), assistant('a', answer)], { activity: 'asking' }, { models: { ...models, current: 'demo' }, context, plan });
    await composer(chat).fill('and');
    const parts = chat.page.locator('.entry > *, .call-line > *, .card > *, .card-file > *, .card-actions > *, .composer-bar > *');
    const outside = await parts.evaluateAll((all) => all.filter((element) => element.getBoundingClientRect().right > innerWidth).map((element) => element.getAttribute('class')));
    assert.deepEqual(outside, []);
  }, { width: 250 });
});
