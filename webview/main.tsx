import { render } from 'preact';
import { hostMessage } from '../generated/host-message.js';
import { createReceiver } from './host/receive.ts';
import './host/vscode-api.ts';
import { initialState } from './state/chat-state.ts';
import { draftsFrom, keptOf } from './state/kept.ts';
import { createStore } from './state/store.ts';
import { createActions } from './view/actions.ts';
import { App } from './view/app.tsx';

/** The next frame; in a page that is hidden there is none, so not later than a tenth of a second. */
function onNextFrame(flush: () => void): void {
  requestAnimationFrame(flush);
  setTimeout(flush, 100);
}

const root = document.getElementById('root');
if (root !== null) {
  const vscode = acquireVsCodeApi();
  const store = createStore({ ...initialState, drafts: draftsFrom(vscode.getState()) }, onNextFrame);
  const receiver = createReceiver(hostMessage, (text) => console.warn(text));
  window.addEventListener('message', (event) => {
    const message = receiver.receive(event.data);
    if (message !== null) store.queue(message);
  });
  let kept = store.current().drafts;
  store.subscribe(({ drafts }) => {
    if (drafts === kept) return;
    kept = drafts;
    vscode.setState(keptOf(drafts));
  });
  const actions = createActions(store, (message) => vscode.postMessage(message));
  render(<App store={store} actions={actions} />, root);
  actions.post({ type: 'ready' });
}
