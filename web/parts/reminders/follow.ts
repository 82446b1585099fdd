// Reminds a person while a tab is open, in addition to Slack and mail: a notice in the tab they look at, or a
// notification if no tab is visible and they have turned notifications on in this browser.
import {onChanges} from '../../api/changes.ts';
import {queryClient} from '../../api/queries.ts';
import {loadTexts, texts} from '../../texts/texts.ts';
import {toast} from '../toast.ts';
import {describeReminder} from './describe-reminder.ts';
import {notify} from './notifications.ts';
import {
  onSnooze,
  type OwnReminder,
  ownReminderQuery,
  readShown,
  snoozeKey,
  storeShown,
} from './own-reminder.ts';
import {planReminder} from './plan-reminder.ts';

/** Time (ms) in which a visible tab of this browser shows a reminder before a hidden one does. */
const visibleFirst = 2_000;
const toastMs = 30_000;
/** Timers of browsers end at once if they are longer than 24 days. */
const longestTimer = 3_600_000;

/**
 * Follows the reminders of the person who is signed in, until `signal` is aborted. `isNew`: one has just come.
 * Otherwise a reminder of before the page was opened is not shown: the page has it.
 */
export function followReminders(
  person: string,
  onWrite: (team: string) => void,
  {signal, isNew: hasNew}: {readonly signal: AbortSignal; readonly isNew: boolean},
): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isFirst = !hasNew;
  let planned = 0;

  const look = async (isNew = false): Promise<void> => {
    clearTimeout(timer);
    const reminder = await queryClient.fetchQuery({...ownReminderQuery, staleTime: 0}).catch(() => undefined);
    if (reminder === undefined || signal.aborted) return;
    const {at, isDue} = planReminder(reminder, Date.now(), planned);
    planned = at ?? 0;
    const isOld = isFirst && !isNew && at !== undefined && at < performance.timeOrigin;
    isFirst = false;
    if (at === undefined || at <= readShown(person)) return;
    if (!isDue) {
      timer = setTimeout(() => void look(), Math.min(at - Date.now(), longestTimer));
    } else if (isOld) storeShown(person, at);
    else await show(reminder, at);
  };

  async function show(reminder: OwnReminder, at: number): Promise<void> {
    await loadTexts('board');
    // Another look, or another tab, may have shown it while the texts were loaded.
    if (at <= readShown(person)) return;
    if (!document.hidden) {
      storeShown(person, at);
      const team = reminder.teams[0]?.team ?? '';
      const next = {label: texts.today.remind.write, run: () => onWrite(team)};
      toast({text: describeReminder(reminder), next, ms: toastMs});
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, visibleFirst));
    if (signal.aborted || (await notify(person, at, reminder).catch(() => false))) return;
    // Nothing has shown it, for example without a service worker: this tab does as soon as it is visible.
    if (document.hidden)
      document.addEventListener('visibilitychange', () => void look(true), {once: true, signal});
    else await show(reminder, at);
  }

  const ends = [
    onChanges({
      onChanges: (changes) => {
        if (changes.some((change) => change.for_me)) void look(true);
      },
      onMissed: () => void look(true),
    }),
    onSnooze(() => void look()),
    () => clearTimeout(timer),
  ];
  addEventListener(
    'storage',
    ({key}) => {
      if (key === snoozeKey(person)) void look();
    },
    {signal},
  );
  signal.addEventListener('abort', () => {
    for (const end of ends) end();
  });
  void look(hasNew);
}
