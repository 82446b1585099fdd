import {randomUUID} from 'node:crypto';
import type {CreateWrite, RecordWrite, RemoveWrite, ReviseWrite} from '../../domain/commit/writes.js';
import {suffixLength, suffixOf, idPrefixes, provisionalId} from '../../domain/core/ids.js';
import {type Listing, lists} from '../../domain/core/lists.js';
import * as lua from '../core/compiled/lua.js';
import {createRevisionGuard} from './guards.js';
import {createStep, createPlainStep, type Step, type StepsOf, type WriteContext} from './step.js';

export const recordSteps: StepsOf<RecordWrite> = {
  create: createCreateStep,
  revise: createReviseStep,
  remove: createRemoveStep,
  'erase-revisions': ({suffix}, {keys}) => createPlainStep(lua.eraseRevisionsLua, [keys.revisions(suffix)]),
  relist({suffix, from, to}, {keys}) {
    const leaving = from === null ? [] : [keys.list(from)];
    if (to === null) {
      return from === null
        ? createStep({keys: [], args: []})
        : createPlainStep(lua.removeFromListLua, leaving, [suffix]);
    }
    const write = from === null ? lua.addToListLua : lua.moveToListLua;
    return createPlainStep(write, [...leaving, keys.list(to.positionFrom), keys.list(to.list)], [suffix]);
  },
  name: ({names, name, suffix}, {keys}) =>
    createPlainStep(lua.setFieldLua, [keys.names(names)], [name, suffix]),
  'free-name': ({names, name, suffix}, {keys}) =>
    createPlainStep(lua.freeNameLua, [keys.names(names)], [name, suffix]),
  touch: ({collection, suffix}, {keys}) =>
    createStep({
      keys: [keys.head(), keys.changes(collection)],
      args: [randomUUID(), suffix],
      fixed: [collection],
      write: lua.touchCollectionLua,
    }),
};

function createCreateStep(write: CreateWrite, {keys, eventAbout}: WriteContext): Step {
  const names = [keys.record(write.suffix), ...write.lists.map(({list}) => keys.list(list))];
  // A resource usually has the same day in all its lists.
  const listed = collapseEqualDays(write.lists);
  if (write.placed !== undefined) {
    return createStep({
      keys: names,
      args: [write.suffix, write.draft, ...listed.map(String)],
      fixed: [idPrefixes[write.kind], write.placed.lastListFor ?? 0],
      write: lua.createPlacedRecordLua,
    });
  }
  const days = [eventAbout(write.suffix), ...listed].map(String);
  const draft = splitAtProvisionalId(write.draft, write.ofNew);
  return createStep({
    keys: names,
    args: [write.suffix, ...draft, ...days],
    fixed: [idPrefixes[write.kind]],
    write: draft.length === 1 ? lua.createRecordLua : lua.createRecordOfNewLua,
  });
}

function collapseEqualDays(listings: readonly Listing[]): readonly number[] {
  const days = listings.map(({day = 0}) => day);
  return days.every((day) => day === days[0]) ? days.slice(0, 1) : days;
}

/** The length of the time in an id. */
const timeLength = 26 - suffixLength;

/** Splits a draft's JSON around the time in the provisional id of another new resource, if it has one. */
function splitAtProvisionalId(draft: string, made: CreateWrite['ofNew']): string[] {
  if (made === undefined) return [draft];
  const id = provisionalId(made.kind, made.suffix);
  const time = draft.indexOf(id) + idPrefixes[made.kind].length + 1;
  return [draft.slice(0, time), draft.slice(time + timeLength)];
}

function createReviseStep(write: ReviseWrite, {keys, retention: {events}}: WriteContext): Step {
  const suffix = suffixOf(write.id);
  const moves = write.move ?? [];
  const guard = createRevisionGuard(keys, write.id, write.from);
  const parts = {
    ...guard,
    keys: [...guard.keys, keys.revisions(suffix), ...moves.map(({list}) => keys.list(list))],
    args: [
      ...guard.args,
      suffix,
      `{"id":"${write.id}",${write.draft},"revision":${write.from + 1},"created_at":"${write.createdAt}","updated_at":"`,
      ...moves.map(({day}) => String(day)),
    ],
  };
  return write.forEvents === true
    ? createStep({...parts, fixed: [events], write: lua.reviseRecordForEventsLua})
    : createStep({...parts, write: lua.reviseRecordLua});
}

/** Creates the step that removes a resource and its list entries. */
function createRemoveStep(
  {id, from, lists: listed, names, how = 'remove'}: RemoveWrite,
  {keys, retention}: WriteContext,
): Step {
  const guard = createRevisionGuard(keys, id, from);
  const suffix = suffixOf(id);
  const containing = listed.map((list) => keys.list(list));
  const own = [...guard.keys, keys.revisions(suffix), ...containing];
  const args = [...guard.args, suffix];
  if (how === 'erase') return createStep({...guard, keys: own, args, write: lua.eraseRecordLua});
  const removedOf = [...new Set(names)].map((person) => keys.list(lists.removedOf(person)));
  return createStep({
    ...guard,
    keys: [...own, ...removedOf],
    args,
    fixed: [retention.events, containing.length],
    write: lua.removeRecordLua,
  });
}
