import type { ViewMessage } from '../protocol/messages.ts';

/** What VS Code gives to the page of a view. */
export interface VsCodeApi {
  postMessage(message: ViewMessage): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare global {
  function acquireVsCodeApi(): VsCodeApi;
}
