/* The life of a mail: stored with its code, leased and sent by two nodes to a relay whose answer may
 * be lost, until it was sent, is parked with a reason, or its link has expired.
 *
 * `README.md` says what is left out. A name in quotes after a file is what a part abstracts.
 */

#define NODES 2

mtype = { absent, queued, sent, parked, expired };
mtype = { accepted, deferred, rejected };
mtype = { nothing, yes, no, uncertain };

/* The database. */
mtype mail = absent;
bool has_code, is_leased;
byte attempts;                 /* Modulo four, so that the states are finite. */

/* What has happened. */
mtype told = nothing;
bool is_old, link_is_over;
bool is_sending[NODES];
byte deliveries, accidents;
byte losses = LOSSES, crashes = CRASHES, pauses = 1;

#define has_ended (mail == sent || mail == parked || mail == expired)

/* Accounts+Send.swift: `store`; CodeDrafts.swift: `store`. */
active proctype Sender() {
  if
#if defined(MUTANT_ACCEPTS_EARLY)
  :: told = yes;
     if
     :: d_step { has_code = true; mail = queued }
     :: losses > 0
     fi
#elif defined(MUTANT_MAIL_APART)
  :: has_code = true; mail = queued; told = yes
  :: d_step { has_code = true; told = uncertain }
#else
  :: d_step { has_code = true; mail = queued } -> told = yes
  :: d_step { has_code = true; mail = queued } -> told = uncertain
#endif
  :: told = no
  :: told = uncertain
  fi
}

/* MailDeliverer.swift: `run`, `giveUp`, `lease`, `attempt`, `record`.
 * Store+MailQueue.swift: `lease`, `giveUp`, `end`, `postpone`.
 */
proctype Node(byte me) {
  mtype outcome;
  byte mine;

end:
  do
  :: d_step { mail == queued && !is_leased && link_is_over -> mail = expired }
#ifndef MUTANT_NEVER_GIVES_UP
  :: d_step { mail == queued && !is_leased && is_old -> mail = parked }
#endif
  :: d_step {
       mail == queued && !is_leased && !link_is_over && !is_old -> attempts = (attempts + 1) % 4;
#ifndef MUTANT_NO_LEASE
       is_leased = true;
#endif
       mine = attempts;
       is_sending[me] = true
     };
#ifdef MUTANT_RECORDS_FIRST
     mail = sent;
#endif
     if
     :: d_step { deliveries++; outcome = accepted }
     :: outcome = deferred
     :: outcome = rejected
     :: d_step { losses > 0 -> losses--; accidents++; deliveries++; outcome = deferred }
     :: d_step { crashes > 0 -> crashes--; accidents++; deliveries++; is_sending[me] = false } -> goto end
     :: d_step { crashes > 0 -> crashes--; is_sending[me] = false } -> goto end
     fi;
     if
     :: d_step {
          attempts == mine && mail == queued;
          mail = (outcome == accepted -> sent : (outcome == rejected || is_old -> parked : queued));
          is_leased = false;
          is_sending[me] = false
        }
     :: d_step { attempts != mine || mail != queued -> is_sending[me] = false }
     :: d_step { losses > 0 -> losses--; accidents++; is_sending[me] = false } /* Not recorded. */
     fi
  od
}

/* A lease ends if its node crashed, and under a node that was stopped for long. */
active proctype Leases() {
end:
  do
  :: d_step { is_leased && !is_sending[0] && !is_sending[1] -> is_leased = false }
  :: d_step { is_leased && (is_sending[0] || is_sending[1]) && pauses > 0 -> pauses--; accidents++; is_leased = false }
  od
}

active proctype Clock() {
  if
  :: link_is_over = true
  :: skip
  fi;
  is_old = true
}

init {
  atomic { run Node(0); run Node(1) }
}

/* A request that was accepted has its code and its mail, and one that was not has neither. */
ltl promised { [] ((told == yes -> has_code && mail != absent) && (told == no -> !has_code && mail == absent)) }
ltl together { [] (has_code == (mail != absent)) }

/* What is recorded as sent was sent, and it was sent again only after an accident. */
ltl sent_is_sent { [] (mail == sent -> deliveries > 0) }
ltl once { [] (deliveries <= 1 + accidents) }

/* Every accepted mail ends. */
ltl answers { [] (told == yes -> <> has_ended) }
