import {api, dataOf} from '../api/client.ts';
import {queryClient} from '../api/queries.ts';
import {toast} from '../parts/toast.ts';
import {formatDay} from '../texts/format.ts';
import {texts} from '../texts/texts.ts';
import {refetchBoard} from './board.ts';
import {showUndoFailure} from './post.ts';

/** Skips the day in one team only; *Undo* reverts it. */
export async function skipDayWithUndo(team: string, date: string): Promise<string> {
  const body = {kind: 'skip' as const, from: date, team};
  const {id} = await dataOf(api.POST('/v1/absences', {body}));
  await refetchDays();
  toast({
    text: texts.write.skipped({day: formatDay(date, {weekday: 'long'})}),
    undo: async () => {
      try {
        await api.DELETE('/v1/absences/{absence}', {params: {path: {absence: id}}});
        await refetchDays();
      } catch (error) {
        await showUndoFailure(error);
      }
    },
  });
  return id;
}

async function refetchDays(): Promise<void> {
  await Promise.all([refetchBoard(), queryClient.invalidateQueries({queryKey: ['listAbsences']})]);
}
