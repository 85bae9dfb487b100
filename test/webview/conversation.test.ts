import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { inChat, show } from './in-chat.ts';
import { answer, asking, assistant, conversation, editCard, outsideCard, status, user } from './scenes.ts';

describe('the conversation', () => {
  inChat('takes no message that is none of the host’s, and names the fault', async (chat) => {
    await show(chat, [user('u', 'hello')]);
    for (const message of [null, 'text', { type: 'run' }, { type: 'remove' }, { type: 'entry', entry: { ...user('x', 'evil'), html: '<b>' } }, { type: 'delta', id: 'u', text: 7 }]) await chat.send(message);
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
    await chat.sendValid({ type: 'delta', id: 's', text: '\n\nmore'.repeat(40) });
    assert.ok((await place()).left <= 1);
    await chat.page.mouse.move(200, 300);
    await chat.page.mouse.wheel(0, -600);
    await chat.page.getByRole('button', { name: 'Jump to latest' }).waitFor();
    const { top } = await place();
    await chat.sendValid({ type: 'delta', id: 's', text: '\n\nmore'.repeat(40) });
    assert.equal((await place()).top, top);
    await chat.page.getByRole('button', { name: 'Jump to latest' }).click();
    await chat.settle();
    assert.ok((await place()).left <= 1);
    await chat.sendValid({ type: 'delta', id: 's', text: '\n\nmore'.repeat(40) });
    assert.ok((await place()).left <= 1);
  });

  inChat('says what happens politely, and that an answer is complete', async (chat) => {
    await show(chat, [user('u', 'go'), assistant('a', 'Hel', true)], { activity: 'streaming' });
    await chat.sendValid({ type: 'delta', id: 'a', text: 'lo' }, { type: 'entry', entry: assistant('a', 'Hello') }, { type: 'status', status });
    await chat.page.locator('[aria-live=polite]', { hasText: 'Answer complete' }).waitFor();
  });

  inChat('says what a queued message waits for, and what one can do about an error', async (chat) => {
    await show(chat, [asking('c', outsideCard('c')), user('u', 'and then', true), { kind: 'notice', id: 'n', level: 'error', text: 'The key was refused.', actions: [{ id: 'setKey', label: 'Set Key…' }] }]);
    await chat.page.getByText('Waiting until the card is answered').waitFor();
    await chat.page.getByRole('button', { name: 'Set Key…' }).click();
    assert.deepEqual(await chat.postedOf('action'), [{ type: 'action', id: 'setKey' }]);
  });

  inChat('fits into 250 pixels', async (chat) => {
    await show(chat, [...conversation, asking('c', editCard('c', { warnings: ['This is outside the workspace.'] })), assistant('a', answer)], { demonstration: true });
    const parts = chat.page.locator('.entry > *, .call-line > *, .card > *, .card-file > *, .card-actions > *, .composer-bar > *');
    const outside = await parts.evaluateAll((all) => all.filter((element) => element.getBoundingClientRect().right > innerWidth).map((element) => element.getAttribute('class')));
    assert.deepEqual(outside, []);
  }, { width: 250 });
});
