import {queryClient} from '../api/queries.ts';
import {send} from '../api/send.ts';
import {toast} from '../parts/toast.ts';
import {formatDay} from '../texts/format.ts';
import {texts} from '../texts/texts.ts';
import {refetchBoard} from './board.ts';
import {showUndoFailure} from './post.ts';

/** Skips the day in one team only; *Undo* reverts it. */
export async function skipDayWithUndo(team: string, date: string): Promise<string> {
  const {id} = await send('post', '/v1/absences', {body: {kind: 'skip', from: date, team}});
  await refetchDays();
  toast({
    text: texts.write.skipped({day: formatDay(date, {weekday: 'long'})}),
    undo: async () => {
      try {
        await send('delete', '/v1/absences/{absence}', {absence: id});
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
