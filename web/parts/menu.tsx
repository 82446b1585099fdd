import type {RefObject} from 'react';
import {Menu as AriaMenu, MenuItem, Popover, Separator} from 'react-aria-components';
import {Icon} from './icon.tsx';
import {Localized} from './localized.tsx';
import type {MenuEntry} from './menu-entry.ts';
import {itemClass, itemHintClass, listClass, tickClass, wordsClass} from './option.tsx';
import {popoverClass} from './popover.tsx';

interface MenuProps {
  readonly label: string;
  readonly items: readonly MenuEntry[];
  /** The menu's button, which gets the focus back when the menu closes. */
  readonly triggerRef: RefObject<Element | null>;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** The open menu. Use `MenuButton`, which loads this module on demand. */
export function Menu({label, items, triggerRef, isOpen, onClose}: MenuProps) {
  return (
    <Localized>
      <Popover
        aria-label={label}
        className={popoverClass}
        isOpen={isOpen}
        offset={4}
        onOpenChange={(open) => open || onClose()}
        placement="bottom end"
        triggerRef={triggerRef}
      >
        <AriaMenu aria-label={label} autoFocus="first" className={listClass} onClose={onClose}>
          {items.map((item, index) =>
            item === 'line' ? (
              // A separator has no id, so its position is its id and key.
              <Separator
                className="-mx-1 my-1 h-px border-0 bg-line forced-colors:bg-[CanvasText]"
                id={`line-${index}`}
                key={`line-${index}`}
              />
            ) : (
              <MenuItem
                className={itemClass}
                data-kind={item.kind}
                id={item.id}
                isDisabled={item.isDisabled ?? false}
                key={item.id}
                {...(item.href !== undefined && {
                  href: item.href,
                  ...(item.isOutside === true && {target: '_blank', rel: 'noreferrer'}),
                })}
                {...(item.onAction !== undefined && {onAction: item.onAction})}
                textValue={item.label}
              >
                {item.icon !== undefined && <Icon name={item.icon} size={16} />}
                <span className={wordsClass}>
                  {item.label}
                  {item.hint !== undefined && <span className={itemHintClass}>{item.hint}</span>}
                </span>
                {item.keys !== undefined && (
                  <kbd aria-hidden="true" className="ms-4 font-sans text-xs text-quiet">
                    {item.keys}
                  </kbd>
                )}
                {item.isChecked === true && (
                  <span className={tickClass}>
                    <Icon name="check" size={16} />
                  </span>
                )}
              </MenuItem>
            ),
          )}
        </AriaMenu>
      </Popover>
    </Localized>
  );
}
