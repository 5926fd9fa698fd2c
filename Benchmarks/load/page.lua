-- Requests the action page of each live code of the file CODES in turn.
local requests, i = {}, 0

function init(args)
  for code in io.lines(os.getenv("CODES")) do
    requests[#requests + 1] = wrk.format("GET", "/__/auth/action?mode=verifyEmail&apiKey=bench-key&oobCode=" .. code)
  end
end

function request()
  i = i % #requests + 1
  return requests[i]
end
