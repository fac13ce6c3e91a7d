import { readFileSync } from 'node:fs'
import { expect } from '@playwright/test'

type Process = {
  name: string
  pid: number
  port: number
  admin_port: number
  internal_port: number
}

/** The running processes, from the list that the launcher writes. */
export function processes(): Process[] {
  const path = process.env.BAARI_PROCESSES
  if (!path) throw new Error('BAARI_PROCESSES is not set: it names the processes.json of the data folder.')
  return JSON.parse(readFileSync(path, 'utf8')) as Process[]
}

function find(name: string): Process {
  const found = processes().find((one) => one.name === name)
  if (!found) throw new Error(`${name} is not running: it would have to be a process of its own`)
  return found
}

/** Kills a process with SIGKILL. The launcher restarts it. */
export function kill(name: string): { pid: number } {
  const { pid } = find(name)
  process.kill(pid, 'SIGKILL')
  return { pid }
}

/** Waits until the process runs under a new id and, if it has an admin port, reports that it is ready. */
export async function back(name: string, before: { pid: number }): Promise<void> {
  await expect.poll(() => find(name).pid).not.toBe(before.pid)
  const { admin_port: port } = find(name)
  if (port === 0) return
  await expect
    .poll(() =>
      fetch(`http://127.0.0.1:${port}/readyz`).then(
        (answer) => answer.status,
        () => 0,
      ),
    )
    .toBe(200)
}

/** The address of a process's public listener, without the gateway. */
export const publicOf = (name: string) => `http://127.0.0.1:${find(name).port}`

/** The address of a process's admin listener, with its metrics. */
export const adminOf = (name: string) => `http://127.0.0.1:${find(name).admin_port}`
