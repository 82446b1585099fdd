import {invalidate} from '../api/queries.ts';
import {send} from '../api/send.ts';
import {toast} from '../parts/toast.ts';
import {formatDay} from '../texts/format.ts';
import {texts} from '../texts/texts.ts';
import {showUndoFailure} from './post.ts';

/** Skips the day in one team only; *Undo* reverts it. */
export async function skipDayWithUndo(team: string, date: string): Promise<string> {
  const {id} = await send('post', '/v1/absences', {body: {kind: 'skip', from: date, team}});
  await invalidate('absence');
  toast({
    text: texts.write.skipped({day: formatDay(date, {weekday: 'long'})}),
    undo: async () => {
      try {
        await send('delete', '/v1/absences/{absence}', {absence: id});
        await invalidate('absence');
      } catch (error) {
        await showUndoFailure(error);
      }
    },
  });
  return id;
}
