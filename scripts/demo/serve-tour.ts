import { startModelServer, type ModelServer, type Script } from '../../test/model-server/server.ts';
import { tourStep } from './tour.ts';

/** Said wherever a model's name is shown. */
export const demonstrationModel = 'demonstration';

/** Between two chunks: about as fast as people are used to. */
const delayMs = 40;

export const playTour: Script = (request) => {
  const { text, calls } = tourStep(request.body);
  return { kind: 'answer', text: text.match(/\s*\S+\s*/g) ?? [], calls, delayMs };
};

/** The scripted demonstration as a model server on 127.0.0.1. */
export function serveTour(): Promise<ModelServer> {
  return startModelServer(playTour, { models: [demonstrationModel] });
}
