// Keys of one letter: `g` then a letter goes somewhere, others act on the screen. They do nothing while
// somebody types, while a dialog is open, and when the reader has turned them off (WCAG 2.1.4).

import { useLayoutEffect, useRef } from 'react'

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

const layers: Keys[] = []
let first: { key: string; until: number } | undefined

function onKeyDown(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || !areKeysOn()) return
  if (isTyping(event.target) || document.querySelector('[role=dialog], [role=alertdialog], [role=menu]'))
    return
  const pair = first !== undefined && event.timeStamp < first.until ? `${first.key} ${event.key}` : undefined
  const act = find(pair) ?? find(event.key)
  const begins = layers.some(keys => Object.keys(keys).some(name => name.startsWith(`${event.key} `)))
  first = act === undefined && begins ? { key: event.key, until: event.timeStamp + pairMs } : undefined
  if (act === undefined) return
  event.preventDefault()
  act()
}

/** The act of a key in the layer that was added last and has it. */
const find = (name: string | undefined) =>
  name === undefined ? undefined : layers.findLast(keys => Object.hasOwn(keys, name))?.[name]

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    (/^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) && target.getAttribute('type') !== 'checkbox'))

/** Gives keys to the screen for as long as the component is shown. */
export function useKeys(keys: Keys): void {
  const latest = useRef(keys)
  latest.current = keys
  const names = Object.keys(keys).join('\n')
  // Before the screen is drawn, so that no key is lost of somebody who sees it.
  useLayoutEffect(() => {
    const layer = Object.fromEntries(names.split('\n').map(name => [name, () => latest.current[name]?.()]))
    if (layers.length === 0) addEventListener('keydown', onKeyDown)
    layers.push(layer)
    return () => {
      layers.splice(layers.indexOf(layer), 1)
      if (layers.length === 0) removeEventListener('keydown', onKeyDown)
    }
  }, [names])
}
