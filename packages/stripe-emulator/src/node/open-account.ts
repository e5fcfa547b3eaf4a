import { EmulatedAccount } from "../emulated-account.ts";
import { defaultSettings, type Settings } from "../settings.ts";
import { Alarm } from "./alarm.ts";
import { openDatabase } from "./database.ts";

export interface AccountOptions extends Partial<Settings> {
  /** The file of its objects, which is created; in memory if none is given. */
  file?: string;
}

export interface OpenAccount {
  /** Its `fetch` answers a request without a socket. */
  account: EmulatedAccount;
  /** Ends once what is under way, such as deliveries, has ended. */
  close(): Promise<void>;
}

/** An account in this process, with its data in Node's SQLite. */
export function openAccount({ file = ":memory:", ...settings }: AccountOptions = {}): OpenAccount {
  const { sql, transactionSync, close } = openDatabase(file);
  const underWay = new Set<Promise<unknown>>();
  const waitUntil = (work: Promise<unknown>): void => {
    const ended = work
      .catch((error: unknown) => console.error(error))
      .finally(() => {
        underWay.delete(ended);
      });
    underWay.add(ended);
  };
  const alarm = new Alarm(() => waitUntil(account.alarm()));
  let isOpen = true;
  const account = new EmulatedAccount(
    {
      sql,
      transactionSync,
      waitUntil,
      setAlarm: async (at) => {
        if (isOpen) alarm.set(at);
      },
    },
    { ...defaultSettings, ...settings },
  );
  return {
    account,
    close: async () => {
      isOpen = false;
      alarm.clear();
      while (underWay.size > 0) await Promise.all(underWay);
      close();
    },
  };
}
