import {type QueryClient, useQueryClient} from '@tanstack/react-query';
import type {Absence} from '../api/schema.ts';
import {send} from '../api/send.ts';
import {wrapAsProblem} from '../parts/as-problem.ts';
import {toast} from '../parts/toast.ts';
import {texts} from '../texts/texts.ts';
import type {AbsenceDraft} from './absence-form.ts';
import {toNewAbsence} from './absence-form.ts';
import type {PartialList} from './queries.ts';

/** Creates, changes and deletes absences, and updates the lists at once. */
export function useAbsenceChanges(me: string) {
  const client = useQueryClient();

  async function createAbsence(draft: AbsenceDraft, key: string): Promise<Absence> {
    const body = {...toNewAbsence(draft), ...(draft.person !== me && {member: draft.person})};
    const entered = await send('post', '/v1/absences', {key, body});
    await refetchAbsences(client);
    return entered;
  }

  async function change({id, revision}: Absence, draft: AbsenceDraft): Promise<Absence> {
    const given = {absence: id, revision, body: toNewAbsence(draft)};
    const changed = await send('patch', '/v1/absences/{absence}', given);
    await refetchAbsences(client);
    return changed;
  }

  /** Removes the absence from the lists before the service answers, and restores it if the deletion fails. */
  async function remove(absence: Absence): Promise<void> {
    const t = texts.calendar.form;
    await client.cancelQueries({queryKey: ['listAbsences']});
    client.setQueriesData<PartialList<Absence> | Absence[]>({queryKey: ['listAbsences']}, (data) =>
      removeAbsenceFromList(data, absence.id),
    );
    const {id, revision} = absence;
    try {
      await send('delete', '/v1/absences/{absence}', {absence: id, revision});
      toast({text: t.deleted, undo: () => restore(absence)});
    } catch (error) {
      toast({text: t.notDeleted({detail: wrapAsProblem(error).message}), ms: 15_000});
    }
    await refetchAbsences(client);
  }

  async function restore({member, kind, from, until, reason, team}: Absence): Promise<void> {
    const t = texts.calendar.form;
    const given = {kind: kind === 'skip' ? 'skip' : 'away', from, until, reason, team} as const;
    try {
      await send('post', '/v1/absences', {body: {...given, ...(member.id !== me && {member: member.id})}});
      toast({text: t.restored});
    } catch (error) {
      toast({text: t.notRestored({detail: wrapAsProblem(error).message}), ms: 15_000});
    }
    await refetchAbsences(client);
  }

  return {enter: createAbsence, change, remove};
}

function refetchAbsences(client: QueryClient): Promise<void> {
  return client.invalidateQueries({
    predicate: ({queryKey: [operation]}) => operation === 'listAbsences' || operation === 'getAbsence',
  });
}

function removeAbsenceFromList(
  data: PartialList<Absence> | Absence[] | undefined,
  id: string,
): PartialList<Absence> | Absence[] | undefined {
  if (data === undefined) return undefined;
  if (Array.isArray(data)) return data.filter((one) => one.id !== id);
  return {...data, rows: data.rows.filter((one) => one.id !== id)};
}
