import {useState} from 'react';
import {invalidate} from '../api/queries.ts';
import type {Member} from '../api/schema.ts';
import {Button} from '../parts/button.tsx';
import {Form} from '../parts/form.tsx';
import {ProblemNote} from '../parts/problem-note.tsx';
import {RegionFields, type RegionChoice} from '../parts/region-fields.tsx';
import {toast} from '../parts/toast.ts';
import {useAction} from '../parts/use-action.ts';
import {texts} from '../texts/texts.ts';
import {changeOwnHolidays} from './own-holidays.ts';

export function OwnRegion({self, onClose}: {readonly self: Member; readonly onClose: () => void}) {
  const t = texts.calendar.calendars;
  const {country, region} = self.holidays;
  const [choice, setChoice] = useState<RegionChoice>({country, region});
  const {run, isPending, problem} = useAction(() => changeOwnHolidays(self, choice));
  const save = async (): Promise<void> => {
    if ((await run()) === undefined) return;
    await invalidate('member');
    toast({text: t.regionSaved});
    onClose();
  };
  return (
    <div className="max-w-120 rounded-lg border border-line bg-card px-4 py-3">
      <Form onSubmit={save} problem={problem}>
        <RegionFields onChange={setChoice} value={choice} />
        {problem !== undefined && <ProblemNote problem={problem} />}
        <div className="flex flex-wrap gap-2">
          <Button isPending={isPending} kind="first" type="submit">
            {t.saveRegion}
          </Button>
          <Button onPress={onClose}>{t.cancel}</Button>
        </div>
      </Form>
    </div>
  );
}
