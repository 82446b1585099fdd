import {type ReactNode, useEffect, useId, useRef} from 'react';
import {Card} from '../parts/card.tsx';

/** A step of an import. Its heading takes the focus, since the button that led here has gone. */
export function Step({
  title,
  isFirst = false,
  children,
}: {
  readonly title: string;
  /** True for what the page shows when it opens. */
  readonly isFirst?: boolean | undefined;
  readonly children: ReactNode;
}) {
  const id = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (!isFirst) heading.current?.focus();
  }, [isFirst]);
  return (
    <Card labelledBy={id}>
      <div className="grid gap-4 *:min-w-0">
        <h2 className="focus:outline-none" dir="auto" id={id} ref={heading} tabIndex={-1}>
          {title}
        </h2>
        {children}
      </div>
    </Card>
  );
}

/** A remark with a bar at its start, which is red for something that a person should look at. */
export function Remark({
  children,
  isDanger = false,
}: {
  readonly children: ReactNode;
  readonly isDanger?: boolean | undefined;
}) {
  return (
    <div
      className="border-s-3 border-edge bg-inset px-3 py-2.5 data-danger:border-missed"
      data-danger={isDanger || undefined}
    >
      {children}
    </div>
  );
}
