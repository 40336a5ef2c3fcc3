import { forEachDatabase } from '../support/for_each_database.ts';
import { story } from './story.ts';

forEachDatabase((_name, open) => {
  story(
    open,
    'a wallet gets its welcome bonus only once',
    `
    look     0xA             -> not registered
    register 0xA             -> registered, balance 10.00, granted 10.00
    register 0xA             -> already registered, balance 10.00
    hold     0xA 10 call 1   -> available 0.00
    settle   call 1          -> balance 0.50
    register 0xA             -> already registered, balance 0.50, granted 10.00
    `,
  );

  story(
    open,
    'credit-back is 5 % of the settled amount, and settling twice changes nothing',
    `
    register 0xA             -> balance 10.00
    hold     0xA 2 call 1    -> balance 10.00, held 2.00, available 8.00
    settle   call 1          -> balance 8.10, held 0.00, spent 2.00, credit-back 0.10
    settle   call 1          -> balance 8.10, held 0.00, spent 2.00, credit-back 0.10
    hold     0xA 9 call 2    -> insufficient_credits, available 8.10
    `,
  );

  story(
    open,
    'credit-back can be spent like any credit',
    `
    register 0xA             -> balance 10.00
    hold     0xA 10 call 1   -> available 0.00
    settle   call 1          -> balance 0.50
    hold     0xA 0.6 call 2  -> insufficient_credits
    hold     0xA 0.5 call 3  -> available 0.00
    settle   call 3          -> balance 0.025, spent 10.50
    `,
  );

  story(
    open,
    'a failed call costs nothing',
    `
    register 0xA             -> balance 10.00
    hold     0xA 3 call 1    -> available 7.00
    release  call 1          -> balance 10.00, available 10.00, spent 0.00
    release  call 1          -> done, available 10.00
    settle   call 1          -> busy, balance 10.00
    `,
  );

  story(
    open,
    'a hold of a crashed call is released after 15 minutes',
    `
    register 0xA             -> balance 10.00
    hold     0xA 3 call 1    -> available 7.00
    wait     14 minutes
    expire                   -> 0 expired
    look     0xA             -> available 7.00
    wait     1 minute
    settle   call 1          -> timed_out, available 7.00
    expire                   -> 1 expired
    expire                   -> 0 expired
    look     0xA             -> available 10.00, held 0.00
    settle   call 1          -> timed_out, balance 10.00
    release  call 1          -> done, available 10.00
    `,
  );

  story(
    open,
    'a restart releases holds before they expire',
    `
    register 0xA             -> balance 10.00
    hold     0xA 3 call 1    -> available 7.00
    hold     0xA 2 call 2    -> available 5.00
    settle   call 2          -> available 5.10
    restart                  -> 1 expired
    look     0xA             -> balance 8.10, available 8.10
    `,
  );

  story(
    open,
    'only a registered wallet with enough credits can place a hold',
    `
    hold     0xA 1 call 1    -> wallet_not_registered
    register 0xA             -> balance 10.00
    hold     0xA 10.001 call 2 -> insufficient_credits
    hold     0xA 10 call 3   -> available 0.00
    hold     0xA 0.001 call 4 -> insufficient_credits
    `,
  );

  story(
    open,
    'sending the same hold twice places it once',
    `
    register 0xA             -> balance 10.00
    hold     0xA 4 call 1    -> available 6.00
    hold     0xA 4 call 1    -> done, available 6.00
    hold     0xA 5 call 1    -> refused: hold, available 6.00
    `,
  );

  story(
    open,
    'addresses are case-insensitive, and two addresses are two wallets',
    `
    register 0xAB            -> balance 10.00
    register 0xab            -> already registered
    hold     0xaB 2 call 1   -> available 8.00
    look     0xAb            -> available 8.00
    register 0xCD            -> registered, balance 10.00
    `,
  );
});
