// Keys and screen readers go on from where somebody was. When what has the focus goes away, such as the
// button of an act that is done or a row that is removed, a browser gives the focus to nothing. Here it goes
// back to the button that opened what has closed, or else to what is nearest and still there.

/** An element around what has the focus, with its place among its siblings. */
interface Step {
  element: Element
  index: number
}

/** What had the focus: its name, and all around it up to the page. */
interface Place {
  name: string
  way: readonly Step[]
}

const focusable =
  'a[href], button:not(:disabled, [tabindex="-1"]), input:not(:disabled), select, textarea, [tabindex="0"]'

const maxOpeners = 5

let last: Place = { name: '', way: [] }
/** Buttons that went away when they were pressed, such as *Edit* of a region that is now a form. */
let openers: readonly Place[] = []

const nameOf = (element: Element) => element.getAttribute('aria-label') ?? element.textContent

const hasGone = ({ way }: Place) => way[0]?.element.isConnected === false

/** What was around a place and is still there. */
const around = ({ way }: Place) => way.find(({ element }) => element.isConnected)?.element

function remember({ target }: FocusEvent): void {
  if (!(target instanceof Element)) return
  if (hasGone(last) && last.name !== '') openers = [...openers, last].slice(-maxOpeners)
  const way: Step[] = []
  for (let element: Element | null = target; element !== null; element = element.parentElement)
    way.push({ element, index: [...(element.parentElement?.children ?? [])].indexOf(element) })
  last = { name: target.matches('button') ? nameOf(target) : '', way }
}

const partOf = (place: Place) => around(place)?.closest('section, main') ?? undefined

/** The button in the same part of the screen that opened what has closed. */
function opener(): HTMLElement | undefined {
  const part = partOf(last)
  for (const one of openers.toReversed()) {
    const place = around(one)
    if (place === undefined || partOf(one) !== part) continue
    const found = [...place.querySelectorAll('button')].find(button => nameOf(button) === one.name)
    if (found === undefined) continue
    openers = openers.filter(other => other !== one)
    return found
  }
  return undefined
}

/**
 * What stands in the place of what has gone, or else the first thing beside it that takes the focus. Where a
 * form has closed that a key opened, that is the first act of its region.
 */
function nearest(): HTMLElement | null {
  const main = document.querySelector('main')
  const i = last.way.findIndex(({ element }) => element.isConnected)
  const act = last.way.slice(0, i).some(({ element }) => element.matches('form'))
    ? partOf(last)?.querySelector(focusable)
    : undefined
  if (act instanceof HTMLElement) return act
  const replaced = last.way[i]?.element.children[last.way[i - 1]?.index ?? 0]
  for (const { element } of last.way.slice(Math.max(i, 0))) {
    if (main === null || element === main || !main.contains(element)) break
    for (const part of [replaced, element]) {
      const found = part?.matches(focusable) ? part : part?.querySelector(focusable)
      if (found instanceof HTMLElement) return found
    }
  }
  return main
}

const isLost = () => document.activeElement === document.body && hasGone(last)

/** Looks after the focus from now on. Returns the function that ends it. */
export function keepFocus(): () => void {
  // Dialogs and menus give the focus back, and screens take it, with the next frame.
  const keep = () =>
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        if (!isLost() || document.querySelector('[role=dialog]') !== null) return
        ;(opener() ?? nearest())?.focus({ preventScroll: true })
      }),
    )
  const observer = new MutationObserver(() => isLost() && keep())
  observer.observe(document.body, { childList: true, subtree: true })
  addEventListener('focusin', remember)
  return () => {
    observer.disconnect()
    removeEventListener('focusin', remember)
  }
}
