// Keys of one letter: `g` then a letter goes somewhere, others act on the screen. They do nothing while
// somebody types, while a dialog is open, and when the reader has turned them off (WCAG 2.1.4). Of two grids
// on a screen, they act on the one that has the focus.

import { type RefObject, useLayoutEffect, useRef } from 'react'

/** What a key does, by the key: `j`, `?`, or two after each other such as `g c`. */
export type Keys = Readonly<Record<string, () => void>>

const storageKey = 'waybill-keys'
// Between two presses, however long a busy page takes to hear of them.
const pairMs = 1_500

/** Whether the reader has keys of one letter. */
export const areKeysOn = (): boolean => localStorage.getItem(storageKey) !== 'off'

/** Turns keys of one letter on or off. */
export function switchKeys(on: boolean): void {
  if (on) localStorage.removeItem(storageKey)
  else localStorage.setItem(storageKey, 'off')
}

interface Layer {
  keys: Keys
  /** what the keys are for, if it is a part of the screen */
  within: RefObject<HTMLElement | null> | undefined
}

const layers: Layer[] = []
let first: { key: string; until: number } | undefined

function onKeyDown(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || !areKeysOn()) return
  if (isTyping(event.target) || document.querySelector('[role=dialog], [role=alertdialog], [role=menu]'))
    return
  if (event.key === 'Enter' && hasOwnEnter(event.target)) return
  const pair = first !== undefined && event.timeStamp < first.until ? `${first.key} ${event.key}` : undefined
  const act = find(pair) ?? find(event.key)
  const begins = layers.some(({ keys }) => Object.keys(keys).some(name => name.startsWith(`${event.key} `)))
  first = act === undefined && begins ? { key: event.key, until: event.timeStamp + pairMs } : undefined
  if (act === undefined) return
  event.preventDefault()
  act()
}

/** The act of a key in the layer with the focus, or else in the one that was added last and has it. */
function find(name: string | undefined): (() => void) | undefined {
  if (name === undefined) return undefined
  const having = layers.filter(({ keys }) => Object.hasOwn(keys, name))
  const { activeElement } = document
  const focused = having.findLast(({ within }) => within?.current?.contains(activeElement))
  return (focused ?? having.at(-1))?.keys[name]
}

/** Whether Enter already does something with what has the focus: it follows a link or presses a button. */
const hasOwnEnter = (target: EventTarget | null) =>
  target instanceof Element && target.closest('a, button, summary') !== null

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    (/^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) && target.getAttribute('type') !== 'checkbox'))

/** Gives keys to the screen, or to a part of it, for as long as the component is shown. */
export function useKeys(keys: Keys, within?: RefObject<HTMLElement | null>): void {
  const latest = useRef(keys)
  latest.current = keys
  const names = Object.keys(keys).join('\n')
  // Before the screen is drawn, so that no key is lost of somebody who sees it.
  useLayoutEffect(() => {
    const acts = names.split('\n').map(name => [name, () => latest.current[name]?.()])
    const layer: Layer = { keys: Object.fromEntries(acts), within }
    if (layers.length === 0) addEventListener('keydown', onKeyDown)
    layers.push(layer)
    return () => {
      layers.splice(layers.indexOf(layer), 1)
      if (layers.length === 0) removeEventListener('keydown', onKeyDown)
    }
  }, [names, within])
}
