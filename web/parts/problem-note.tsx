import {texts} from '../texts/texts.ts';
import {wrapAsProblem, findAdvice} from './as-problem.ts';
import {Button} from './button.tsx';
import {Icon} from './icon.tsx';
import styles from './problem-note.module.css';
import {useNow} from './use-now.ts';

/**
 * Shows an error with advice, and the request id for support. The retry button can be pressed only after the
 * time that the service asks for. A validation error has no retry button, and is hidden if a field already
 * shows it.
 */
export function ProblemNote({
  problem: thrown,
  onRetry,
  cure,
}: {
  readonly problem: Error;
  readonly onRetry?: (() => unknown) | undefined;
  /** Advice that replaces the usual advice. */
  readonly cure?: string | undefined;
}) {
  const problem = wrapAsProblem(thrown);
  const {code, title, message, requestId, retryAt, errors} = problem;
  const isForm = errors.length > 0 && errors.every(({pointer}) => pointer !== undefined);
  const isInvalid = isForm && code === 'validation_failed';
  const others = errors.filter(({detail}) => detail !== message);
  return (
    <div className={styles['note']} data-form={isForm || undefined} role="alert">
      <span className={styles['icon']}>
        <Icon name="warning" />
      </span>
      <div className={styles['body']}>
        <p className={styles['title']}>{isInvalid ? texts.parts.checkForm : title}</p>
        {!isInvalid && <p className={styles['said']}>{message}</p>}
        {others.length > 0 && (
          <ul className={styles['list']}>
            {others.slice(0, 10).map(({detail, pointer, parameter, header}) => {
              const where = pointer?.replace(/^#\//, '') ?? parameter ?? header;
              return (
                <li key={`${where} ${detail}`}>
                  {where !== undefined && <code>{where}</code>} {detail}
                </li>
              );
            })}
          </ul>
        )}
        <p className={styles['text']}>{cure ?? findAdvice(problem)}</p>
        {requestId !== undefined && !isInvalid && (
          <p className={styles['request']}>
            {texts.parts.requestId} <code>{requestId}</code>
          </p>
        )}
      </div>
      {onRetry !== undefined &&
        !isForm &&
        (retryAt === undefined ? (
          <Button onPress={() => void onRetry()} size="small">
            {texts.parts.tryAgain}
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
      {seconds > 0 ? texts.parts.tryAgainIn({seconds}) : texts.parts.tryAgain}
    </Button>
  );
}
