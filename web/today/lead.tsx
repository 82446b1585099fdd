import {useQueryClient} from '@tanstack/react-query';
import {useState} from 'react';
import {api, dataOf} from '../api/client.ts';
import {Button} from '../parts/button.tsx';
import {IconButton} from '../parts/icon-button.tsx';
import {ProblemNote} from '../parts/problem-note.tsx';
import {toast} from '../parts/toast.ts';
import {useAction} from '../parts/use-action.ts';
import {formatTime} from '../words/format.ts';
import {words} from '../words/words.ts';
import {isOff, type TeamDay} from './day.ts';
import styles from './lead.module.css';

/** What leads may do on the day: remind those who are missing, or open a run where there is none. */
export function Lead({day, isPaused}: {readonly day: TeamDay; readonly isPaused: boolean}) {
  if (day.run === null) return isPaused ? null : <OpenRun team={day.team} />;
  const isMissed = day.people.some(
    ({standups, ...person}) => standups.length === 0 && !isOff({...person, standups}),
  );
  return day.run.state === 'open' && isMissed ? <Remind day={day} /> : null;
}

function Remind({day}: {readonly day: TeamDay}) {
  const [told, tell] = useState<readonly string[]>();
  const {run, isPending, problem} = useAction(() =>
    dataOf(api.POST('/v1/teams/{team}/reminders', {params: {path: {team: day.team}}, body: {}})),
  );
  const remind = async (): Promise<void> => {
    tell(undefined);
    const answer = await run();
    if (answer !== undefined) tell(tellReminder(day, new Set(answer.members)));
  };
  return (
    <div className={styles['lead']}>
      <Button isPending={isPending} onPress={() => void remind()}>
        {words.today.lead.remind}
      </Button>
      {problem !== undefined && <ProblemNote onRetry={remind} problem={problem} />}
      {told !== undefined && (
        <div className={styles['told']} role="status">
          <div>
            {told.map((line) => (
              <p key={line}>{line}</p>
            ))}
          </div>
          <IconButton icon="cross" label={words.parts.dismiss} onPress={() => tell(undefined)} size="small" />
        </div>
      )}
    </div>
  );
}

/** Who is reminded, and who is not and why. */
function tellReminder(day: TeamDay, reminded: ReadonlySet<string>): readonly string[] {
  const {lead: say} = words.today;
  const absent = day.people.filter(({standups}) => standups.length === 0);
  const names = (wanted: typeof absent): string => listNames(wanted.map(({member}) => member.name));
  const asked = absent.filter(({member}) => reminded.has(member.id));
  const others = absent.filter(({member}) => !reminded.has(member.id));
  const off = others.filter(isOff);
  const quiet = others.filter((person) => !isOff(person) && person.status !== 'not_expected');
  return [
    asked.length > 0 ? say.reminded(names(asked)) : say.nobodyReminded,
    ...(quiet.length > 0 ? [say.notReminded(names(quiet))] : []),
    ...(off.length > 0 ? [say.off(names(off))] : []),
  ];
}

function listNames(names: readonly string[]): string {
  const most = 12;
  const shown = names.length > most ? names.slice(0, most - 1) : names;
  const joined = shown.join(', ');
  return shown.length === names.length
    ? joined
    : words.today.zones.andMore(joined, names.length - shown.length);
}

const choices = [15, 30, 60, 120, 240];

function OpenRun({team}: {readonly team: string}) {
  const [minutes, choose] = useState(60);
  const queries = useQueryClient();
  const {run, isPending, problem} = useAction(async () => {
    const made = await dataOf(api.POST('/v1/teams/{team}/runs', {params: {path: {team}}, body: {minutes}}));
    await queries.invalidateQueries({queryKey: ['getTeamDay']});
    toast({text: words.today.lead.opened(formatTime(made.closes_at))});
  });
  const {lead: say} = words.today;
  return (
    <div className={styles['lead']}>
      <div className={styles['open']}>
        <Button isPending={isPending} onPress={() => void run()}>
          {say.open}
        </Button>
        <select
          aria-label={say.minutes}
          className={styles['minutes']}
          onChange={({target}) => choose(Number(target.value))}
          value={minutes}
        >
          {choices.map((one) => (
            <option key={one} value={one}>
              {say.forMinutes(one)}
            </option>
          ))}
        </select>
      </div>
      {problem !== undefined && <ProblemNote problem={problem} />}
    </div>
  );
}
