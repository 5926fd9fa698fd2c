/* The life of a code that an upstream keeps, pressed at two nodes that share a database. The
 * upstream spends the code with its answer, and may lose the answer.
 *
 * `README.md` says what is left out. A name in quotes after a file is what a part abstracts.
 */

#define PRESSES 2

mtype = { live, used };
mtype = { untried, unanswered, succeeded };
mtype = { yes, refused, lost, pending };
mtype = { none, done, already, not_done, dead, uncertain, crashed };

mtype code = live;             /* At the upstream. */
mtype try = untried;           /* In Onward's database. */
byte open_tries;               /* Attempts that were not refused. */
bool is_in_flight[PRESSES];    /* A gateway has given up on a request that may still be executed. */
bool is_done[PRESSES], has_begun[PRESSES];
mtype told[PRESSES] = none;
byte losses = LOSSES, crashes = CRASHES;

#define tell(what) d_step { told[me] = what; earlier = untried; got = yes }

/* UpstreamAuthority.swift: `press`, `redeem`, `stateAtUpstream`, `stateAfterOwnTry`, `apply`, `meaning`.
 * UpstreamTryTable.swift: `beginUpstreamTry`, `finishUpstreamTry`, `forgetUpstreamTry`.
 */
proctype Press(byte me) {
  mtype earlier = untried, got = yes;

  has_begun[me] = true;
  if
  :: try == succeeded -> tell(already); goto end
  :: else
  fi;
  if
  :: code == live
  :: code == used -> goto read
  :: d_step { losses > 0 -> losses-- };
     if
     :: try == unanswered -> tell(uncertain)
     :: try != unanswered -> tell(not_done)
     fi;
     goto end
  fi;
#ifndef MUTANT_UNRECORDED
  d_step {
    earlier = try;
#ifdef MUTANT_SUCCEEDS_EARLY
    try = succeeded;
#else
    try = (try == untried -> unanswered : try);
#endif
    open_tries = (earlier == succeeded -> open_tries : open_tries + 1)
  };
#endif
  if
  :: earlier == succeeded -> tell(already); goto end
  :: else
  fi;
  if
  :: d_step { code == live -> code = used; is_done[me] = true; got = yes }
  :: d_step { code == used -> got = refused }
  :: d_step { code == live && losses > 0 -> losses--; code = used; is_done[me] = true; got = lost }
  :: d_step { losses > 0 -> losses--; got = lost }
  :: d_step { losses > 0 -> losses--; is_in_flight[me] = true; got = pending }
  :: d_step { crashes > 0 -> crashes--; is_in_flight[me] = true; told[me] = crashed } -> goto end
  fi;
  if
  :: got == yes ->
     if
     :: try = succeeded
     :: d_step { losses > 0 -> losses-- }
     fi;
     tell(done); goto end
  :: got == refused -> goto forget
  :: got == lost || got == pending ->
#ifdef MUTANT_NO_QUESTION
     goto forget
#else
#ifdef MUTANT_WAITS_FOR_EVER
     code != code; /* No time limit for the answer. */
#endif
     if
     :: code == live && got == lost -> goto forget
     :: code == live && got == pending -> tell(uncertain); goto end
     :: code == used -> goto read
     :: d_step { losses > 0 -> losses-- } -> tell(uncertain); goto end
     fi
#endif
  fi;
forget:
  skip;
  d_step {
    open_tries = (open_tries > 0 -> open_tries - 1 : 0);
    if
#if defined(MUTANT_FORGETS_ALWAYS)
    :: try == unanswered -> try = untried
#elif defined(MUTANT_FORGETS_ANOTHERS)
    :: try == unanswered && earlier == untried -> try = untried
#elif defined(MUTANT_NEVER_FORGETS)
    :: false
#else
    :: try == unanswered && open_tries == 0 -> try = untried
#endif
    :: else
    fi
  };
  if
  :: got == lost -> tell(not_done); goto end
  :: else
  fi;
read:
  skip;
  if
  :: d_step { try == succeeded -> told[me] = already }
  :: d_step { try == unanswered -> told[me] = uncertain }
  :: d_step { try == untried -> told[me] = dead }
  fi;
end:
  skip
}

active proctype Upstream() {
end:
  do
  :: d_step { is_in_flight[0] -> is_in_flight[0] = false; is_done[0] = is_done[0] || code == live; code = used }
  :: d_step { is_in_flight[1] -> is_in_flight[1] = false; is_done[1] = is_done[1] || code == live; code = used }
  :: d_step { is_in_flight[0] -> is_in_flight[0] = false }
  :: d_step { is_in_flight[1] -> is_in_flight[1] = false }
  od
}

/* Somebody who asks the upstream without Onward. */
active proctype Another() {
  if
  :: skip
  :: code = used
  fi
}

init {
  atomic { run Press(0); run Press(1) }
}

/* What was said to be done is done, and what was said not to be done is not, then and later. */
ltl yes_is_true {
  [] ((told[0] == done -> is_done[0]) && (told[1] == done -> is_done[1])
    && ((told[0] == already || told[1] == already) -> (is_done[0] || is_done[1])))
}
ltl no_is_true {
  [] ((told[0] == not_done -> !is_done[0]) && (told[1] == not_done -> !is_done[1])
    && ((told[0] == dead || told[1] == dead) -> (!is_done[0] && !is_done[1])))
}

/* What Onward did is never taken for what it did not. */
ltl remembered { [] ((is_done[0] || is_done[1]) -> try != untried) }

/* And what was refused is not taken for what may have been done. */
ltl settled {
  [] ((told[0] != none && told[1] != none && losses == LOSSES && crashes == CRASHES) -> try != unanswered)
}

/* Every press ends with an answer, unless its node crashed. All presses are alike. */
ltl answers { [] (has_begun[0] -> <> (told[0] != none)) }
