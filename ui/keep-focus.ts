// Keeps the focus in the page when the part that has it goes: a form that was saved, a row that was removed,
// a button that is no longer offered. Without it, browsers give the focus to nobody, and keys and screen
// readers begin again at the top.

/** A part of the page, and which of the children of its parent it was. */
interface Step {
  part: Element
  index: number
}

/** From the part that had the focus up to the dialog or the screen that it is in. */
type Trail = readonly Step[]

const dialogs = '[role=dialog], [role=alertdialog]'
const canTakeFocus = 'a[href], button, input, select, textarea, [tabindex]'
/** What keys of one letter, or the keyboard of a phone, would write into. */
const isWritten = 'select, textarea, input:not([type=checkbox], [type=radio])'
/** The cells of a grid, and what is in them; one of them is reachable. */
const cells = '[data-cell], [data-cell] *'

function trailOf(target: Element): Trail | undefined {
  const end = target.closest(`${dialogs}, main`)
  if (end === null) return undefined
  const trail: Step[] = []
  for (let part: Element | null = target; part !== null; part = part === end ? null : part.parentElement)
    trail.push({ part, index: [...(part.parentElement?.children ?? [])].indexOf(part) })
  return trail
}

const isReachable = (part: Element | undefined): part is HTMLElement =>
  part instanceof HTMLElement &&
  part.matches(canTakeFocus) &&
  part.tabIndex >= 0 &&
  !part.matches(':disabled') &&
  part.checkVisibility()

/** The parts in an element that can take the focus and are not written into, with itself. */
const reachableIn = (element: Element | undefined): readonly HTMLElement[] =>
  element === undefined
    ? []
    : [element, ...element.querySelectorAll(canTakeFocus)]
        .filter(isReachable)
        .filter(part => !part.matches(isWritten))

/**
 * Where keys begin in an element: in the first field of a form, in the cell of a grid that Tab leads to, else
 * at what can be pressed first.
 */
const entryOf = (element: Element | undefined): HTMLElement | undefined =>
  [...(element?.querySelectorAll(`form :is(${isWritten}), ${cells}`) ?? [])].find(isReachable) ??
  reachableIn(element)[0]

/** The part of an element that stands where the last one of these steps stood in another. */
function alike(element: Element | undefined, steps: Trail): Element | undefined {
  let part = element
  for (const { index } of steps.toReversed()) part = part?.children[index]
  return part
}

/** The names of buttons that went when they were pressed, such as *Edit* of a region that is now a form. */
let openers: readonly string[] = []
const maxOpeners = 5

const nameOf = (part: Element) => part.getAttribute('aria-label') ?? part.textContent

/** The button that opened a form that has closed, or one that its region has in its head. */
function openerOf(trail: Trail): HTMLElement | undefined {
  const last = trail.findIndex(({ part }) => part.isConnected)
  if (!trail.slice(0, last).some(({ part }) => part.matches('form'))) return undefined
  const region = trail[last]?.part.closest('section, main') ?? undefined
  const opener = reachableIn(region).findLast(part => openers.includes(nameOf(part)))
  return opener ?? reachableIn(region?.firstElementChild ?? undefined).at(-1)
}

/** What is nearest to where the focus was: what came in its place, else what stands before it. */
function nearest(trail: Trail): HTMLElement | undefined {
  const [first] = trail
  if (first?.part.isConnected && isReachable(first.part)) return first.part
  const opener = openerOf(trail)
  if (opener !== undefined) return opener
  for (const [i, { part: parent }] of trail.entries()) {
    const gone = trail[i - 1]
    if (gone === undefined || !parent.isConnected) continue
    const instead = parent.children[gone.index]
    const same = alike(instead, trail.slice(0, i - 1))
    const before = parent.children[gone.index - 1]
    const found = isReachable(same) ? same : (entryOf(instead) ?? reachableIn(before).at(-1))
    if (found !== undefined) return found
  }
  return document.querySelector('main') ?? undefined
}

/** Watches the page from now on. */
export function keepFocus(): void {
  let ofScreen: Trail | undefined
  let ofDialog: Trail | undefined
  let isAsked = false
  const remember = (target: EventTarget | null) => {
    if (!(target instanceof Element)) return
    const had = ofScreen?.[0]?.part
    if (had?.matches('button') && !had.isConnected) openers = [...openers, nameOf(had)].slice(-maxOpeners)
    if (target.closest(dialogs) !== null) ofDialog = trailOf(target)
    else ofScreen = trailOf(target) ?? ofScreen
  }
  // Who points elsewhere has left by themselves.
  const forget = ({ target }: PointerEvent) => {
    if (target instanceof Element && target.closest(dialogs) !== null) ofDialog = undefined
    else ofScreen = undefined
  }
  const giveBack = () => {
    isAsked = false
    if (document.activeElement !== document.body) return
    const trail = document.querySelector(dialogs) === null ? ofScreen : ofDialog
    if (trail === undefined) return
    const found = nearest(trail)
    // A grid that is scrolled leaves its rows, and is not to be scrolled back.
    found?.focus({ preventScroll: found.closest('[data-cell]') !== null })
  }
  const watch = new MutationObserver(() => {
    if (isAsked || document.activeElement !== document.body) return
    isAsked = true
    // Dialogs, menus and grids that know better have given it back by then.
    const later = (frames: number) =>
      requestAnimationFrame(() => (frames === 0 ? giveBack() : later(frames - 1)))
    later(3)
  })
  watch.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] })
  remember(document.activeElement)
  addEventListener('focusin', ({ target }) => remember(target))
  addEventListener('pointerdown', forget, true)
}
