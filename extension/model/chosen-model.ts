import type { ModelCapabilities } from './model-client.ts';
import type { ThinkingEffort } from './profile.ts';

/** The model that a request is for, and what it is asked to do: all that a body needs beside the request. */
export interface ChosenModel {
  readonly model: string;
  readonly thinking: ThinkingEffort;
  readonly capabilities: ModelCapabilities;
}
