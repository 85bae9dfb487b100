import { createModelClient, type ClientPorts } from '../../../extension/model/create-client.ts';
import type { ModelClient } from '../../../extension/model/model-client.ts';
import type { NetworkProfile } from '../../../extension/model/profile.ts';
import { capabilities, realTimer } from './clients.ts';

export type ClientSettings = Partial<ClientPorts> & Partial<Pick<NetworkProfile, 'model' | 'thinking'>>;

/** A client of any protocol that goes over the network. */
export function networkClientOf(protocol: NetworkProfile['protocol'], baseUrl: string, { model = 'scripted', thinking = 'off', ...ports }: ClientSettings = {}): ModelClient {
  return createModelClient({ id: 'p', label: model, protocol, baseUrl, model, thinking }, {
    key: () => Promise.resolve(undefined), timer: realTimer, now: () => 0, capabilities, label: 'scripted · here', ...ports,
  });
}
