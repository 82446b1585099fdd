import type {MailWrite} from '../../domain/commit/writes.js';
import {suffixOf, type IdSuffix} from '../../domain/core/ids.js';
import {formatTraceparent} from '../../domain/core/trace-context.js';
import {type Work, workName} from '../../domain/core/work.js';
import {eraseMailLua, queueMailLua, recordMailLua} from '../core/compiled/lua.js';
import type {WorkspaceKeys} from '../core/keys.js';
import {createPlainStep, type StepsOf} from './step.js';

const work: Work = {kind: 'send-mail'};
/** The time (ms) by which a code is due earlier: a person waits for it, and hundreds of reports may wait, too. */
const codeHeadStartMs = 3_600_000;

/** `owner`: the member or the hashed address whose list has the mail; empty if no list has it. */
function listMailKeys(keys: WorkspaceKeys, suffix: IdSuffix<'mail'>, owner: string) {
  return [
    keys.mail(suffix),
    keys.mailsDue(),
    keys.mails(),
    keys.ready(),
    keys.mailsOf(owner),
    keys.mailSecret(suffix),
  ];
}

export const mailSteps: StepsOf<MailWrite> = {
  'queue-mail': ({suffix, fact, to, member, address = '', encrypted = '', until}, {keys, trace}) => {
    const memberSuffix = member === undefined ? '' : suffixOf(member);
    const owner = memberSuffix || address;
    const headStart = fact.kind === 'sign_in_code' ? codeHeadStartMs : 0;
    return createPlainStep(
      queueMailLua,
      listMailKeys(keys, suffix, owner),
      [
        suffix,
        workName(work),
        JSON.stringify(fact),
        to,
        memberSuffix,
        owner,
        String(until),
        encrypted,
        String(headStart),
        ...(trace === undefined ? [] : [formatTraceparent(trace)]),
      ],
      work,
    );
  },
  'record-mail': ({suffix, outcome: {result, code, detail = '', bounced = false}}, {keys}) => {
    const isOver = typeof result === 'string';
    const isCounted = isOver ? result !== 'dropped' && result !== 'kept' : result.counted;
    return createPlainStep(
      recordMailLua,
      [keys.mail(suffix), keys.mailsDue(), keys.ready(), keys.mailSecret(suffix)],
      [
        suffix,
        workName(work),
        isOver ? result : 'queued',
        isOver ? '0' : String(result.next),
        !bounced && isCounted ? '1' : '0',
        code === undefined ? '' : String(code),
        detail,
      ],
    );
  },
  'erase-mail': ({suffix, member, address = ''}, {keys}) =>
    createPlainStep(eraseMailLua, listMailKeys(keys, suffix, member ?? address), [suffix, workName(work)]),
};
