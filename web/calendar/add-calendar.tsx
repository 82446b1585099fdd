import {useId, useState} from 'react';
import {invalidate} from '../api/queries.ts';
import {send} from '../api/send.ts';
import {FormOverlay} from '../parts/form-overlay.tsx';
import {TextField} from '../parts/text-field.tsx';
import {toast} from '../parts/toast.ts';
import {useAction} from '../parts/use-action.ts';
import {texts} from '../texts/texts.ts';

/** The service's maximum lengths of a calendar file and of a calendar's name, in characters. */
const longestFile = 60_000;
const longestName = 80;

export function AddCalendar({onClose}: {readonly onClose: () => void}) {
  const t = texts.calendar.calendars;
  const file = useId();
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState<{name: string; ics: string}>();
  const [isAsked, setAsked] = useState(false);
  const {run, isPending, problem, reset} = useAction(() =>
    send('post', '/v1/holiday-calendars', {body: {name: name.trim(), ics: chosen?.ics ?? ''}}),
  );
  const fileError = !isAsked
    ? undefined
    : chosen === undefined
      ? t.missingFile
      : chosen.ics.length > longestFile
        ? t.tooBig
        : problem?.errors.find(({pointer}) => pointer === '#/ics')?.detail;

  async function submit(): Promise<void> {
    setAsked(true);
    const isReady = name.trim() !== '' && chosen !== undefined && chosen.ics.length <= longestFile;
    if (!isReady || isPending) return;
    const made = await run();
    if (made === undefined) return;
    toast({text: t.added({name: made.name, days: made.days.length})});
    onClose();
    await invalidate('holiday_calendar');
  }

  async function readCalendarFile(picked: File | undefined): Promise<void> {
    reset();
    if (picked === undefined) return;
    setChosen({name: picked.name, ics: await picked.text()});
    if (name === '') setName(picked.name.replace(/\.ics$/i, '').slice(0, longestName));
  }

  return (
    <FormOverlay
      cancel={t.cancel}
      isPending={isPending}
      onClose={onClose}
      onSubmit={submit}
      problem={problem}
      submit={t.submit}
      title={t.add}
      variant="sheet"
    >
      <div className="grid gap-1.5">
        <label className="font-medium" htmlFor={file}>
          {t.file}
        </label>
        <input
          accept=".ics,text/calendar"
          aria-describedby={`${file}-hint ${file}-error`}
          aria-invalid={fileError !== undefined}
          className="w-full rounded-lg border border-edge bg-card p-2 file:me-2.5 file:cursor-pointer file:rounded-md file:border file:border-edge file:bg-card file:px-2.5 file:py-[3px] file:text-ink aria-invalid:border-missed"
          id={file}
          onChange={(event) => void readCalendarFile(event.target.files?.[0])}
          type="file"
        />
        <p className="text-xs text-quiet" id={`${file}-hint`}>
          {t.fileHint}
        </p>
        <p className="text-xs text-missed empty:hidden" id={`${file}-error`}>
          {fileError}
        </p>
      </div>
      <TextField
        error={isAsked && name.trim() === '' ? t.missingName : undefined}
        label={t.name}
        maxLength={longestName}
        onChange={setName}
        value={name}
      />
    </FormOverlay>
  );
}
