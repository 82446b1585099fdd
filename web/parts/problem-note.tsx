import {words} from '../words/words.ts';
import {asProblem, cureOf} from './as-problem.ts';
import {Button} from './button.tsx';
import {Icon} from './icon.tsx';
import styles from './problem-note.module.css';
import {useNow} from './use-now.ts';

/** What happened, the cure, and the id to tell; `onRetry` waits as long as the service asks. */
export function ProblemNote({
  problem: thrown,
  onRetry,
  cure,
}: {
  readonly problem: Error;
  readonly onRetry?: (() => unknown) | undefined;
  /** Instead of the usual one. */
  readonly cure?: string | undefined;
}) {
  const problem = asProblem(thrown);
  const {title, message, requestId, retryAt, errors} = problem;
  const others = errors.filter(({detail}) => detail !== message);
  return (
    <div className={styles['note']} role="alert">
      <span className={styles['icon']}>
        <Icon name="warning" />
      </span>
      <div className={styles['body']}>
        <p className={styles['title']}>{title}</p>
        <p className={styles['text']}>{message}</p>
        {others.length > 0 && (
          <ul className={styles['list']}>
            {others.slice(0, 10).map(({detail, pointer, parameter, header}) => {
              const where = pointer ?? parameter ?? header;
              return (
                <li key={`${where} ${detail}`}>
                  {where !== undefined && <code>{where}</code>} {detail}
                </li>
              );
            })}
          </ul>
        )}
        <p className={styles['text']}>{cure ?? cureOf(problem)}</p>
        {requestId !== undefined && (
          <p className={styles['request']}>
            {words.parts.requestId} <code>{requestId}</code>
          </p>
        )}
      </div>
      {onRetry !== undefined &&
        (retryAt === undefined ? (
          <Button onPress={() => void onRetry()} size="small">
            {words.parts.tryAgain}
          </Button>
        ) : (
          <RetryLater at={retryAt} onRetry={onRetry} />
        ))}
    </div>
  );
}

function RetryLater({at, onRetry}: {readonly at: number; readonly onRetry: () => unknown}) {
  const seconds = Math.ceil((at - useNow(1_000)) / 1_000);
  return (
    <Button isDisabled={seconds > 0} onPress={() => void onRetry()} size="small">
      {seconds > 0 ? words.parts.tryAgainIn(seconds) : words.parts.tryAgain}
    </Button>
  );
}
