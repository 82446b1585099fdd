import type {StoredAnswer} from '../../domain/commit/commit.js';
import {createRevisionRef, isCreated, type KeptReply, type Reply} from '../../domain/commit/reply.js';
import {addMissingFieldsToRecord} from '../core/earlier-records.js';

/** Returns the part of a commit's answer that is stored for repeats. */
export function createKeptReply(reply: Reply): KeptReply {
  if (reply.kind === 'resource')
    return {...reply, created: isCreated(reply), of: createRevisionRef(reply.of)};
  return reply.kind === 'list' ? {...reply, of: reply.of.map(createRevisionRef)} : reply;
}

export function serializeStoredAnswer(answer: StoredAnswer): string {
  return JSON.stringify(answer);
}

export function parseStoredAnswer(record: string): StoredAnswer {
  const answer = JSON.parse(record) as StoredAnswer;
  const {reply} = answer;
  if (reply.kind !== 'inline') return answer;
  return {...answer, reply: {...reply, body: addMissingFieldsToRecord(reply.body)}};
}
