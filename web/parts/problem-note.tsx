import {texts} from '../texts/texts.ts';
import {wrapAsProblem, findAdvice} from './as-problem.ts';
import {Button} from './button.tsx';
import {Icon} from './icon.tsx';
import {useNow} from './use-now.ts';

/** Hides an error that its field shows already. */
const hiddenByField = 'in-[form:has([data-invalid])]:hidden';

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
    <div
      className="flex flex-wrap items-start gap-x-3 gap-y-2 rounded-lg border border-[color-mix(in_srgb,var(--color-missed),var(--color-card)_55%)] bg-[color-mix(in_srgb,var(--color-card),var(--color-missed)_5%)] px-4 py-3 text-start [&_code]:text-xs [&_code]:select-all"
      role="alert"
    >
      <span className="text-missed">
        <Icon name="warning" />
      </span>
      <div className="grid min-w-0 grow basis-55 gap-0.5">
        <p className="font-semibold">{isInvalid ? texts.parts.checkForm : title}</p>
        {!isInvalid && <p className={`text-pretty ${isForm ? hiddenByField : ''}`}>{message}</p>}
        {others.length > 0 && (
          <ul className={`my-1 list-disc ps-5 ${isForm ? hiddenByField : ''}`}>
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
        <p className="text-pretty">{cure ?? findAdvice(problem)}</p>
        {requestId !== undefined && !isInvalid && (
          <p className="pt-0.5 text-xs text-quiet">
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
