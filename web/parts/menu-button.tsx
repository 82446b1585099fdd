import {lazy, type ReactNode, Suspense, useRef, useState} from 'react';
import {type ButtonLook, buttonClass} from './button-class.ts';
import {Icon, type IconName} from './icon.tsx';
import type {MenuEntry} from './menu-entry.ts';

const loadMenu = () => import('./menu.tsx');
const Menu = lazy(async () => ({default: (await loadMenu()).Menu}));

interface MenuButtonProps extends ButtonLook {
  /** Name of the menu, and of its button unless the button has its own text. */
  readonly label: string;
  readonly items: readonly MenuEntry[];
  readonly icon?: IconName | undefined;
  readonly children?: ReactNode | undefined;
}

/** A plain button that loads its menu on first use. */
export function MenuButton({label, items, icon = 'more', kind, size, children}: MenuButtonProps) {
  const trigger = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const hasLabel = children !== undefined;
  return (
    <>
      <button
        aria-expanded={isOpen}
        aria-haspopup="menu"
        className={buttonClass({kind: kind ?? (hasLabel ? 'plain' : 'quiet'), size}, !hasLabel)}
        {...(!hasLabel && {'aria-label': label, title: label})}
        onClick={() => setOpen(true)}
        onFocus={() => void loadMenu()}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
          event.preventDefault();
          setOpen(true);
        }}
        onPointerEnter={() => void loadMenu()}
        ref={trigger}
        type="button"
      >
        {hasLabel ? children : <Icon name={icon} size={size === 'small' ? 16 : 20} />}
        {hasLabel && <Icon name="chevron-down" size={16} />}
      </button>
      {isOpen && (
        <Suspense>
          <Menu isOpen items={items} label={label} onClose={() => setOpen(false)} triggerRef={trigger} />
        </Suspense>
      )}
    </>
  );
}
