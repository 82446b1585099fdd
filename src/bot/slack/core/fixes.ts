import type {Texts} from '../../texts/translation.js';
import {classifySlackError} from './slack-errors.js';

type Fix = keyof Texts['trouble']['fixes'];

const fixes: Readonly<Record<string, Fix>> = {
  not_in_channel: 'notIn',
  channel_not_found: 'notFound',
  is_archived: 'archived',
  channel_is_public: 'public',
  missing_scope: 'scope',
};

/** Says how people fix a channel that refuses messages. `bot`: the name for `/invite`. */
export function describeFix(code: string, texts: Texts['trouble'], bot: string): string {
  const fix = texts.fixes[classifySlackError(code) === 'token' ? 'token' : (fixes[code] ?? 'other')];
  return typeof fix === 'string' ? fix : fix({bot});
}
