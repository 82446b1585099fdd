import type {DraftWrite} from '../../domain/commit/writes.js';
import {deleteFieldLua, deleteKeysLua, dropDraftsLua, setDraftLua} from '../core/compiled/lua.js';
import {formatDraftField, formatDraftPrefix} from '../drafts/draft-records.js';
import {createPlainStep, type StepsOf} from './step.js';

export const draftSteps: StepsOf<DraftWrite> = {
  'set-draft': ({json, gone = [], ...name}, {keys}) => {
    const [drafts, field] = [[keys.drafts(name.member)], formatDraftField(name)];
    return json === null
      ? createPlainStep(deleteFieldLua, drafts, [field])
      : createPlainStep(setDraftLua, drafts, [field, json, gone.map(formatDraftField).join(' ')]);
  },
  'drop-drafts': ({member, of}, {keys}) =>
    of === 'all'
      ? createPlainStep(deleteKeysLua, [keys.drafts(member)])
      : createPlainStep(dropDraftsLua, [keys.drafts(member)], [formatDraftPrefix(of)]),
};
