import {useNavigate} from '@tanstack/react-router';
import {Button} from '../parts/button.tsx';
import {IconButton} from '../parts/icon-button.tsx';
import {texts} from '../texts/texts.ts';
import {addMonths, formatMonth} from './dates.ts';

export function MonthSwitch({month, today}: {readonly month: string; readonly today: string}) {
  const t = texts.calendar;
  const navigate = useNavigate({from: '/calendar'});
  const go = (to: string | undefined): void =>
    void navigate({search: (now) => ({...now, month: to}), resetScroll: false});
  const current = today.slice(0, 7);
  const goTo = (to: string): void => go(to === current ? undefined : to);
  return (
    <div className="-mb-2 flex flex-wrap items-center justify-between gap-2">
      <h2>{formatMonth(month)}</h2>
      <div className="flex items-center gap-1">
        <IconButton icon="chevron-left" label={t.previous} onPress={() => goTo(addMonths(month, -1))} />
        <IconButton icon="chevron-right" label={t.next} onPress={() => goTo(addMonths(month, 1))} />
        <Button isDisabled={month === current} onPress={() => go(undefined)}>
          {t.today}
        </Button>
      </div>
    </div>
  );
}
