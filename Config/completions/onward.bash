#!/bin/bash

__onward_cursor_index_in_current_word() {
    local remaining="${COMP_LINE}"

    local word
    for word in "${COMP_WORDS[@]::COMP_CWORD}"; do
        remaining="${remaining##*([[:space:]])"${word}"*([[:space:]])}"
    done

    local -ir index="$((COMP_POINT - ${#COMP_LINE} + ${#remaining}))"
    if [[ "${index}" -le 0 ]]; then
        printf 0
    else
        printf %s "${index}"
    fi
}

# positional arguments:
#
# - 1: the current (sub)command's count of positional arguments
#
# required variables:
#
# - repeating_flags: the repeating flags that the current (sub)command can accept
# - non_repeating_flags: the non-repeating flags that the current (sub)command can accept
# - repeating_options: the repeating options that the current (sub)command can accept
# - non_repeating_options: the non-repeating options that the current (sub)command can accept
# - positional_number: value ignored
# - unparsed_words: unparsed words from the current command line
#
# modified variables:
#
# - non_repeating_flags: remove flags for this (sub)command that are already on the command line
# - non_repeating_options: remove options for this (sub)command that are already on the command line
# - positional_number: set to the current positional number
# - unparsed_words: remove all flags, options, and option values for this (sub)command
__onward_offer_flags_options() {
    local -ir positional_count="${1}"
    positional_number=0

    local was_flag_option_terminator_seen=false
    local is_parsing_option_value=false

    local -ar unparsed_word_indices=("${!unparsed_words[@]}")
    local -i word_index
    for word_index in "${unparsed_word_indices[@]}"; do
        if "${is_parsing_option_value}"; then
            # This word is an option value:
            # Reset marker for next word iff not currently the last word
            [[ "${word_index}" -ne "${unparsed_word_indices[${#unparsed_word_indices[@]} - 1]}" ]] && is_parsing_option_value=false
            unset "unparsed_words[${word_index}]"
            # Do not process this word as a flag or an option
            continue
        fi

        local word="${unparsed_words["${word_index}"]}"
        if ! "${was_flag_option_terminator_seen}"; then
            case "${word}" in
            --)
                unset "unparsed_words[${word_index}]"
                # by itself -- is a flag/option terminator, but if it is the last word, it is the start of a completion
                if [[ "${word_index}" -ne "${unparsed_word_indices[${#unparsed_word_indices[@]} - 1]}" ]]; then
                    was_flag_option_terminator_seen=true
                fi
                continue
                ;;
            -*)
                # ${word} is a flag or an option
                # If ${word} is an option, mark that the next word to be parsed is an option value
                local option
                for option in "${repeating_options[@]}" "${non_repeating_options[@]}"; do
                    [[ "${word}" = "${option}" ]] && is_parsing_option_value=true && break
                done

                # Remove ${word} from ${non_repeating_flags} or ${non_repeating_options} so it isn't offered again
                local not_found=true
                local -i index
                for index in "${!non_repeating_flags[@]}"; do
                    if [[ "${non_repeating_flags[${index}]}" = "${word}" ]]; then
                        unset "non_repeating_flags[${index}]"
                        non_repeating_flags=("${non_repeating_flags[@]}")
                        not_found=false
                        break
                    fi
                done
                if "${not_found}"; then
                    for index in "${!non_repeating_flags[@]}"; do
                        if [[ "${non_repeating_flags[${index}]}" = "${word}" ]]; then
                            unset "non_repeating_flags[${index}]"
                            non_repeating_flags=("${non_repeating_flags[@]}")
                            break
                        fi
                    done
                fi
                unset "unparsed_words[${word_index}]"
                continue
                ;;
            esac
        fi

        # ${word} is neither a flag, nor an option, nor an option value
        if [[ "${positional_number}" -lt "${positional_count}" || "${positional_count}" -lt 0 ]]; then
            # ${word} is a positional
            ((positional_number++))
            unset "unparsed_words[${word_index}]"
        else
            if [[ -z "${word}" ]]; then
                # Could be completing a flag, option, or subcommand
                positional_number=-1
            else
                # ${word} is a subcommand or invalid, so stop processing this (sub)command
                positional_number=-2
            fi
            break
        fi
    done

    unparsed_words=("${unparsed_words[@]}")

    if\
        ! "${was_flag_option_terminator_seen}"\
        && ! "${is_parsing_option_value}"\
        && [[ ("${cur}" = -* && "${positional_number}" -ge 0) || "${positional_number}" -eq -1 ]]
    then
        COMPREPLY+=($(compgen -W "${repeating_flags[*]} ${non_repeating_flags[*]} ${repeating_options[*]} ${non_repeating_options[*]}" -- "${cur}"))
    fi
}

__onward_add_completions() {
    local completion
    while IFS='' read -r completion; do
        COMPREPLY+=("${completion}")
    done < <(IFS=$'\n' compgen "${@}" -- "${cur}")
}

__onward_custom_complete() {
    if [[ -n "${cur}" || -z ${COMP_WORDS[${COMP_CWORD}]} || "${COMP_LINE:${COMP_POINT}:1}" != ' ' ]]; then
        local -ar words=("${COMP_WORDS[@]}")
    else
        local -ar words=("${COMP_WORDS[@]::${COMP_CWORD}}" '' "${COMP_WORDS[@]:${COMP_CWORD}}")
    fi

    "${COMP_WORDS[0]}" "${@}" "${words[@]}"
}

_onward() {
    local state
    state="$(shopt -p;shopt -po)"
    trap "${state//$'\n'/;}" RETURN
    shopt -s extglob
    set +o history +o posix

    local -xr SAP_SHELL=bash
    local -x SAP_SHELL_VERSION
    SAP_SHELL_VERSION="$(IFS='.';printf %s "${BASH_VERSINFO[*]}")"
    local -r SAP_SHELL_VERSION

    local -r cur="${2}"
    local -r prev="${3}"

    local -i positional_number
    local -a unparsed_words=("${COMP_WORDS[@]:1:${COMP_CWORD}}")

    local -a repeating_flags=()
    local -a non_repeating_flags=(--version -h --help)
    local -a repeating_options=()
    local -a non_repeating_options=()
    __onward_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    dev|init|serve|check-config|doctor|explain-url|explain-link|links|admin-key|signing-key|secret|users|link|audit|mail|events|clock|migrate|backup|restore|store|self-check|healthcheck|help)
        # Offer subcommand argument completions
        "_onward_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'dev init serve check-config doctor explain-url explain-link links admin-key signing-key secret users link audit mail events clock migrate backup restore store self-check healthcheck help' -- "${cur}"))
        ;;
    esac
}

_onward_dev() {
    repeating_flags=()
    non_repeating_flags=(--empty --trust-every-origin --limits --version -h --help)
    repeating_options=(--authorize --link-domain)
    non_repeating_options=(--port --data --database --listen --origin --project --tokens --resources --config --relay --confirm-by --password-rules)
    __onward_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--port')
        return
        ;;
    '--data')
        return
        ;;
    '--database')
        return
        ;;
    '--listen')
        return
        ;;
    '--origin')
        return
        ;;
    '--authorize')
        return
        ;;
    '--link-domain')
        return
        ;;
    '--project')
        return
        ;;
    '--tokens')
        __onward_add_completions -W 'unsigned'$'\n''signed'
        return
        ;;
    '--resources')
        return
        ;;
    '--config')
        return
        ;;
    '--relay')
        return
        ;;
    '--confirm-by')
        __onward_add_completions -W 'automatic'$'\n''number'$'\n''press'
        return
        ;;
    '--password-rules')
        __onward_add_completions -W 'firebase'$'\n''production'
        return
        ;;
    esac
}

_onward_init() {
    repeating_flags=()
    non_repeating_flags=(--no-input --version -h --help)
    repeating_options=(--domain)
    non_repeating_options=(--origin --name --project --from --relay --directory --database)
    __onward_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--origin')
        return
        ;;
    '--domain')
        return
        ;;
    '--name')
        return
        ;;
    '--project')
        return
        ;;
    '--from')
        return
        ;;
    '--relay')
        return
        ;;
    '--directory')
        return
        ;;
    '--database')
        return
        ;;
    esac
}

_onward_serve() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--config)
    __onward_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--config')
        __onward_add_completions -o plusdirs -fX '!*.@(yaml)'
        return
        ;;
    esac
}

_onward_check-config() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--config)
    __onward_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--config')
        __onward_add_completions -o plusdirs -fX '!*.@(yaml)'
        return
        ;;
    esac
}

_onward_doctor() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=(--dkim-selector)
    non_repeating_options=(--config)
    __onward_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--dkim-selector')
        return
        ;;
    '--config')
        __onward_add_completions -o plusdirs -fX '!*.@(yaml)'
        return
        ;;
    esac
}

_onward_explain-url() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--project --config)
    __onward_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--project')
        return
        ;;
    '--config')
        __onward_add_completions -o plusdirs -fX '!*.@(yaml)'
        return
        ;;
    esac
}

_onward_explain-link() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--device --config)
    __onward_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--device')
        return
        ;;
    '--config')
        __onward_add_completions -o plusdirs -fX '!*.@(yaml)'
        return
        ;;
    esac
}

_onward_links() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __onward_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    create|list|show|disable|enable|import)
        # Offer subcommand argument completions
        "_onward_links_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'create list show disable enable import' -- "${cur}"))
        ;;
    esac
}

_onward_links_create() {
    repeating_flags=()
    non_repeating_flags=(--short --version -h --help)
    repeating_options=()
    non_repeating_options=(--path --name --config)
    __onward_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--path')
        return
        ;;
    '--name')
        return
        ;;
    '--config')
        __onward_add_completions -o plusdirs -fX '!*.@(yaml)'
        return
        ;;
    esac
}

_onward_links_list() {
    repeating_flags=()
    non_repeating_flags=(--by-clients --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--project --limit --config)
    __onward_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--project')
        return
        ;;
    '--limit')
        return
        ;;
    '--config')
        __onward_add_completions -o plusdirs -fX '!*.@(yaml)'
        return
        ;;
    esac
}

_onward_links_show() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--config)
    __onward_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--config')
        __onward_add_completions -o plusdirs -fX '!*.@(yaml)'
        return
        ;;
    esac
}

_onward_links_disable() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--config)
    __onward_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--config')
        __onward_add_completions -o plusdirs -fX '!*.@(yaml)'
        return
        ;;
    esac
}

_onward_links_enable() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--config)
    __onward_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--config')
        __onward_add_completions -o plusdirs -fX '!*.@(yaml)'
        return
        ;;
    esac
}

_onward_links_import() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--domain --report --config)
    __onward_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--domain')
        return
        ;;
    '--report')
        return
        ;;
    '--config')
        __onward_add_completions -o plusdirs -fX '!*.@(yaml)'
        return
        ;;
    esac
}

_onward_admin-key() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __onward_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    create|list|revoke)
        # Offer subcommand argument completions
        "_onward_admin-key_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'create list revoke' -- "${cur}"))
        ;;
    esac
}

_onward_admin-key_create() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=(--may)
    non_repeating_options=(--label --project --expires-in --config)
    __onward_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--label')
        return
        ;;
    '--project')
        return
        ;;
    '--may')
        __onward_add_completions -W 'read'$'\n''write'$'\n''create-links'$'\n''password-hashes'
        return
        ;;
    '--expires-in')
        return
        ;;
    '--config')
        __onward_add_completions -o plusdirs -fX '!*.@(yaml)'
        return
        ;;
    esac
}

_onward_admin-key_list() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--config)
    __onward_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--config')
        __onward_add_completions -o plusdirs -fX '!*.@(yaml)'
        return
        ;;
    esac
}

_onward_admin-key_revoke() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--config)
    __onward_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--config')
        __onward_add_completions -o plusdirs -fX '!*.@(yaml)'
        return
        ;;
    esac
}

_onward_signing-key() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __onward_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    list|rotate)
        # Offer subcommand argument completions
        "_onward_signing-key_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'list rotate' -- "${cur}"))
        ;;
    esac
}

_onward_signing-key_list() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--config)
    __onward_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--config')
        __onward_add_completions -o plusdirs -fX '!*.@(yaml)'
        return
        ;;
    esac
}

_onward_signing-key_rotate() {
    repeating_flags=()
    non_repeating_flags=(--now --compromised --version -h --help)
    repeating_options=()
    non_repeating_options=(--config)
    __onward_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--config')
        __onward_add_completions -o plusdirs -fX '!*.@(yaml)'
        return
        ;;
    esac
}

_onward_secret() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __onward_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    reseal)
        # Offer subcommand argument completions
        "_onward_secret_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'reseal' -- "${cur}"))
        ;;
    esac
}

_onward_secret_reseal() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--config)
    __onward_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--config')
        __onward_add_completions -o plusdirs -fX '!*.@(yaml)'
        return
        ;;
    esac
}

_onward_users() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __onward_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    list|get|disable|enable|delete|invite|merge|unmerge|import|export|erase)
        # Offer subcommand argument completions
        "_onward_users_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'list get disable enable delete invite merge unmerge import export erase' -- "${cur}"))
        ;;
    esac
}

_onward_users_list() {
    repeating_flags=()
    non_repeating_flags=(--invited --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--config --project --limit)
    __onward_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--config')
        __onward_add_completions -o plusdirs -fX '!*.@(yaml)'
        return
        ;;
    '--project')
        return
        ;;
    '--limit')
        return
        ;;
    esac
}

_onward_users_get() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--id --config --project)
    __onward_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--id')
        return
        ;;
    '--config')
        __onward_add_completions -o plusdirs -fX '!*.@(yaml)'
        return
        ;;
    '--project')
        return
        ;;
    esac
}

_onward_users_disable() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--id --config --project)
    __onward_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--id')
        return
        ;;
    '--config')
        __onward_add_completions -o plusdirs -fX '!*.@(yaml)'
        return
        ;;
    '--project')
        return
        ;;
    esac
}

_onward_users_enable() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--id --config --project)
    __onward_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--id')
        return
        ;;
    '--config')
        __onward_add_completions -o plusdirs -fX '!*.@(yaml)'
        return
        ;;
    '--project')
        return
        ;;
    esac
}

_onward_users_delete() {
    repeating_flags=()
    non_repeating_flags=(--json --yes --version -h --help)
    repeating_options=()
    non_repeating_options=(--id --config --project)
    __onward_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--id')
        return
        ;;
    '--config')
        __onward_add_completions -o plusdirs -fX '!*.@(yaml)'
        return
        ;;
    '--project')
        return
        ;;
    esac
}

_onward_users_invite() {
    repeating_flags=()
    non_repeating_flags=(--withdraw --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--config --project --name --continue --language --file --report)
    __onward_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--config')
        __onward_add_completions -o plusdirs -fX '!*.@(yaml)'
        return
        ;;
    '--project')
        return
        ;;
    '--name')
        return
        ;;
    '--continue')
        return
        ;;
    '--language')
        return
        ;;
    '--file')
        return
        ;;
    '--report')
        return
        ;;
    esac
}

_onward_users_merge() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--into --from --config --project)
    __onward_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--into')
        return
        ;;
    '--from')
        return
        ;;
    '--config')
        __onward_add_completions -o plusdirs -fX '!*.@(yaml)'
        return
        ;;
    '--project')
        return
        ;;
    esac
}

_onward_users_unmerge() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--into --from --config --project)
    __onward_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--into')
        return
        ;;
    '--from')
        return
        ;;
    '--config')
        __onward_add_completions -o plusdirs -fX '!*.@(yaml)'
        return
        ;;
    '--project')
        return
        ;;
    esac
}

_onward_users_import() {
    repeating_flags=()
    non_repeating_flags=(--skip-existing --overwrite --dry-run --version -h --help)
    repeating_options=()
    non_repeating_options=(--config --project --report --hash-algo --hash-algorithm --hash-config --hash-key-file --hash-key --salt-separator --rounds --mem-cost --parallelization --block-size --dk-len --hash-input-order)
    __onward_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--config')
        __onward_add_completions -o plusdirs -fX '!*.@(yaml)'
        return
        ;;
    '--project')
        return
        ;;
    '--report')
        return
        ;;
    '--hash-algo'|'--hash-algorithm')
        return
        ;;
    '--hash-config')
        return
        ;;
    '--hash-key-file')
        return
        ;;
    '--hash-key')
        return
        ;;
    '--salt-separator')
        return
        ;;
    '--rounds')
        return
        ;;
    '--mem-cost')
        return
        ;;
    '--parallelization')
        return
        ;;
    '--block-size')
        return
        ;;
    '--dk-len')
        return
        ;;
    '--hash-input-order')
        return
        ;;
    esac
}

_onward_users_export() {
    repeating_flags=()
    non_repeating_flags=(--complete --version -h --help)
    repeating_options=()
    non_repeating_options=(--config --project)
    __onward_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--config')
        __onward_add_completions -o plusdirs -fX '!*.@(yaml)'
        return
        ;;
    '--project')
        return
        ;;
    esac
}

_onward_users_erase() {
    repeating_flags=()
    non_repeating_flags=(--yes --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--id --config --project)
    __onward_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--id')
        return
        ;;
    '--config')
        __onward_add_completions -o plusdirs -fX '!*.@(yaml)'
        return
        ;;
    '--project')
        return
        ;;
    esac
}

_onward_link() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __onward_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    create)
        # Offer subcommand argument completions
        "_onward_link_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'create' -- "${cur}"))
        ;;
    esac
}

_onward_link_create() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--continue-url --config --project)
    __onward_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--continue-url')
        return
        ;;
    '--config')
        __onward_add_completions -o plusdirs -fX '!*.@(yaml)'
        return
        ;;
    '--project')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __onward_add_completions -W 'resetPassword'$'\n''verifyEmail'$'\n''signIn'
        return
        ;;
    esac
}

_onward_audit() {
    repeating_flags=()
    non_repeating_flags=(--follow --version -h --help)
    repeating_options=()
    non_repeating_options=(--since --project --actor --config)
    __onward_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--since')
        return
        ;;
    '--project')
        return
        ;;
    '--actor')
        return
        ;;
    '--config')
        __onward_add_completions -o plusdirs -fX '!*.@(yaml)'
        return
        ;;
    esac
}

_onward_mail() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __onward_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    test|preview|trace|queue|show|retry|drop|suppressed)
        # Offer subcommand argument completions
        "_onward_mail_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'test preview trace queue show retry drop suppressed' -- "${cur}"))
        ;;
    esac
}

_onward_mail_test() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--to --project --config)
    __onward_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--to')
        return
        ;;
    '--project')
        return
        ;;
    '--config')
        __onward_add_completions -o plusdirs -fX '!*.@(yaml)'
        return
        ;;
    esac
}

_onward_mail_preview() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--action --lang --project --out --config)
    __onward_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--action')
        return
        ;;
    '--lang')
        return
        ;;
    '--project')
        return
        ;;
    '--out')
        return
        ;;
    '--config')
        __onward_add_completions -o plusdirs -fX '!*.@(yaml)'
        return
        ;;
    esac
}

_onward_mail_trace() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--project --config)
    __onward_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--project')
        return
        ;;
    '--config')
        __onward_add_completions -o plusdirs -fX '!*.@(yaml)'
        return
        ;;
    esac
}

_onward_mail_queue() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--limit --config)
    __onward_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--limit')
        return
        ;;
    '--config')
        __onward_add_completions -o plusdirs -fX '!*.@(yaml)'
        return
        ;;
    esac
}

_onward_mail_show() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--config)
    __onward_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--config')
        __onward_add_completions -o plusdirs -fX '!*.@(yaml)'
        return
        ;;
    esac
}

_onward_mail_retry() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--config)
    __onward_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--config')
        __onward_add_completions -o plusdirs -fX '!*.@(yaml)'
        return
        ;;
    esac
}

_onward_mail_drop() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--config)
    __onward_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--config')
        __onward_add_completions -o plusdirs -fX '!*.@(yaml)'
        return
        ;;
    esac
}

_onward_mail_suppressed() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __onward_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    list|remove)
        # Offer subcommand argument completions
        "_onward_mail_suppressed_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'list remove' -- "${cur}"))
        ;;
    esac
}

_onward_mail_suppressed_list() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--project --limit --config)
    __onward_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--project')
        return
        ;;
    '--limit')
        return
        ;;
    '--config')
        __onward_add_completions -o plusdirs -fX '!*.@(yaml)'
        return
        ;;
    esac
}

_onward_mail_suppressed_remove() {
    repeating_flags=()
    non_repeating_flags=(--all-bounces --version -h --help)
    repeating_options=()
    non_repeating_options=(--project --config)
    __onward_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--project')
        return
        ;;
    '--config')
        __onward_add_completions -o plusdirs -fX '!*.@(yaml)'
        return
        ;;
    esac
}

_onward_events() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __onward_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    list|retry|drop)
        # Offer subcommand argument completions
        "_onward_events_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'list retry drop' -- "${cur}"))
        ;;
    esac
}

_onward_events_list() {
    repeating_flags=()
    non_repeating_flags=(--parked --waiting --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--project --limit --config)
    __onward_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--project')
        return
        ;;
    '--limit')
        return
        ;;
    '--config')
        __onward_add_completions -o plusdirs -fX '!*.@(yaml)'
        return
        ;;
    esac
}

_onward_events_retry() {
    repeating_flags=()
    non_repeating_flags=(--all-parked --version -h --help)
    repeating_options=()
    non_repeating_options=(--project --config)
    __onward_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--project')
        return
        ;;
    '--config')
        __onward_add_completions -o plusdirs -fX '!*.@(yaml)'
        return
        ;;
    esac
}

_onward_events_drop() {
    repeating_flags=()
    non_repeating_flags=(--all-parked --version -h --help)
    repeating_options=()
    non_repeating_options=(--project --config)
    __onward_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--project')
        return
        ;;
    '--config')
        __onward_add_completions -o plusdirs -fX '!*.@(yaml)'
        return
        ;;
    esac
}

_onward_clock() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __onward_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    show|accept)
        # Offer subcommand argument completions
        "_onward_clock_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'show accept' -- "${cur}"))
        ;;
    esac
}

_onward_clock_show() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--config)
    __onward_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--config')
        __onward_add_completions -o plusdirs -fX '!*.@(yaml)'
        return
        ;;
    esac
}

_onward_clock_accept() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--config)
    __onward_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--config')
        __onward_add_completions -o plusdirs -fX '!*.@(yaml)'
        return
        ;;
    esac
}

_onward_migrate() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --version -h --help)
    repeating_options=()
    non_repeating_options=(--config)
    __onward_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--config')
        __onward_add_completions -o plusdirs -fX '!*.@(yaml)'
        return
        ;;
    esac
}

_onward_backup() {
    repeating_flags=()
    non_repeating_flags=(--force --version -h --help)
    repeating_options=()
    non_repeating_options=(--to --config)
    __onward_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--to')
        return
        ;;
    '--config')
        __onward_add_completions -o plusdirs -fX '!*.@(yaml)'
        return
        ;;
    esac
}

_onward_restore() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--config)
    __onward_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--config')
        __onward_add_completions -o plusdirs -fX '!*.@(yaml)'
        return
        ;;
    esac
}

_onward_store() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __onward_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    copy|revoke-credentials)
        # Offer subcommand argument completions
        "_onward_store_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'copy revoke-credentials' -- "${cur}"))
        ;;
    esac
}

_onward_store_copy() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--from --to)
    __onward_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--from')
        return
        ;;
    '--to')
        return
        ;;
    esac
}

_onward_store_revoke-credentials() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--config)
    __onward_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--config')
        __onward_add_completions -o plusdirs -fX '!*.@(yaml)'
        return
        ;;
    esac
}

_onward_self-check() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--config)
    __onward_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--config')
        __onward_add_completions -o plusdirs -fX '!*.@(yaml)'
        return
        ;;
    esac
}

_onward_healthcheck() {
    repeating_flags=()
    non_repeating_flags=(--ready --version -h --help)
    repeating_options=()
    non_repeating_options=(--address --tls --ca)
    __onward_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--address')
        return
        ;;
    '--tls')
        return
        ;;
    '--ca')
        return
        ;;
    esac
}

_onward_help() {
    repeating_flags=()
    non_repeating_flags=(--version)
    repeating_options=()
    non_repeating_options=()
    __onward_offer_flags_options -1
}

complete -o filenames -F _onward onward
