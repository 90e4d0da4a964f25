# Largest count of each client of GET /oauth/token in five minutes of the clock, from CloudFront's
# standard logs on standard input. Plain POSIX awk. Follows peers.py.
BEGIN {
    FS = "\t"
    OFS = "\t"
    count = split("/oauth/token /oauth/token/ /OAuth/Token /oauth//token /oauth/%74oken /oauth/%2574oken /oauth/./token /static/../oauth/token", list, " ")
    for (number = 1; number <= count; number++) wanted[list[number]] = 1
}

# Days since 1 March of the year 0.
function days(date,    part, year, month) {
    split(date, part, "-")
    year = part[1]
    month = part[2] - 3
    if (month < 0) { month += 12; year-- }
    return 365 * year + int(year / 4) - int(year / 100) + int(year / 400) + int((153 * month + 2) / 5) + part[3]
}

$6 == "GET" && ($8 in wanted) && !(($5, $15) in seen) {
    seen[$5, $15] = 1
    if (!($1 in midnight)) midnight[$1] = 86400 * days($1)
    at = midnight[$1] + 3600 * substr($2, 1, 2) + 60 * substr($2, 4, 2) + substr($2, 7, 2) - int($19)
    found = ++counts[$5, int(at / 300)]
    if (found > peak[$5]) peak[$5] = found
}

END { for (client in peak) print client, peak[client] }
