import {invalidate, queryClient} from '../api/queries.ts';
import type {Absence} from '../api/schema.ts';
import {send} from '../api/send.ts';
import {wrapAsProblem} from '../parts/as-problem.ts';
import {toast} from '../parts/toast.ts';
import {texts} from '../texts/texts.ts';
import type {AbsenceDraft} from './absence-form.ts';
import {toNewAbsence} from './absence-form.ts';
import type {PartialList} from './queries.ts';

export async function createAbsence(me: string, draft: AbsenceDraft, key: string): Promise<Absence> {
  const body = {...toNewAbsence(draft), ...(draft.person !== me && {member: draft.person})};
  const entered = await send('post', '/v1/absences', {key, body});
  await invalidate('absence');
  return entered;
}

export async function changeAbsence({id, revision}: Absence, draft: AbsenceDraft): Promise<Absence> {
  const body = toNewAbsence(draft);
  const changed = await send('patch', '/v1/absences/{absence}', {absence: id, revision, body});
  await invalidate('absence');
  return changed;
}

export async function deleteAbsence(me: string, absence: Absence): Promise<void> {
  const t = texts.calendar.form;
  const {id, revision} = absence;
  await queryClient.cancelQueries({queryKey: ['listAbsences']});
  queryClient.setQueriesData<PartialList<Absence> | Absence[]>({queryKey: ['listAbsences']}, (data) =>
    removeAbsenceFromList(data, id),
  );
  try {
    await send('delete', '/v1/absences/{absence}', {absence: id, revision});
    toast({text: t.deleted, undo: () => restoreAbsence(me, absence)});
  } catch (error) {
    toast({text: t.notDeleted({detail: wrapAsProblem(error).message}), ms: 15_000});
  }
  await invalidate('absence');
}

async function restoreAbsence(me: string, {member, kind, from, until, reason, team}: Absence): Promise<void> {
  const t = texts.calendar.form;
  const given = {kind: kind === 'skip' ? 'skip' : 'away', from, until, reason, team} as const;
  try {
    await send('post', '/v1/absences', {body: {...given, ...(member.id !== me && {member: member.id})}});
    toast({text: t.restored});
  } catch (error) {
    toast({text: t.notRestored({detail: wrapAsProblem(error).message}), ms: 15_000});
  }
  await invalidate('absence');
}

function removeAbsenceFromList(
  data: PartialList<Absence> | Absence[] | undefined,
  id: string,
): PartialList<Absence> | Absence[] | undefined {
  if (data === undefined) return undefined;
  if (Array.isArray(data)) return data.filter((one) => one.id !== id);
  return {...data, rows: data.rows.filter((one) => one.id !== id)};
}
